package coach

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// verb is the first number of a line: what it asks for.
type verb int

const (
	nothing      verb = -1 // an empty line
	placeBody    verb = 0
	placeShape   verb = 1
	setPositions verb = 2
	setTorques   verb = 5
	askPositions verb = 6
)

// forms is how many whole numbers follow each verb, how many others (anyNumber: one for each joint), and what they are.
var forms = map[verb]struct {
	indices, figures int
	doc              string
}{
	placeBody:    {2, 6, "ROBOT LINK X Y Z A B C"},
	placeShape:   {3, 6, "ROBOT LINK SHAPE X Y Z A B C"},
	setPositions: {1, anyNumber, "ROBOT Q1 … QN"},
	setTorques:   {1, anyNumber, "ROBOT T1 … TN"},
}

const anyNumber = -1

// The limits of a line.
const (
	maxLine    = 64 << 10 // bytes
	maxIndex   = 1 << 20
	maxFigures = 4096
)

// line is a line that a program has sent.
type line struct {
	verb    verb
	indices []int // of the robot, its link, the link's shape; none in a question that names no robot
	figures []float64
}

// isForeign reports whether a line is one of another protocol: of HTTP, in which browsers speak, or of a binary one.
func isForeign(text string) bool {
	control := func(r rune) bool { return r < ' ' && r != '\t' && r != '\r' && r != '\n' || r >= 0x7f }
	return strings.Contains(text, " HTTP/") || strings.ContainsFunc(text, control)
}

// parseLine reads a line: numbers separated by spaces.
func parseLine(text string) (line, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return line{verb: nothing}, nil
	}
	n, err := strconv.Atoi(words[0])
	if err == nil && verb(n) == askPositions {
		return parseQuestion(words[1:]), nil
	}
	form, ok := forms[verb(n)]
	if err != nil || !ok {
		return line{}, fmt.Errorf("%.20q: expected 0, 1, 2, 5 or 6 first", words[0])
	}
	l := line{verb: verb(n)}
	words = words[1:]
	if len(words) < form.indices || form.figures >= 0 && len(words) != form.indices+form.figures || len(words) > maxFigures {
		return line{}, fmt.Errorf("%d followed by %d numbers: expected %d %s", n, len(words), n, form.doc)
	}
	for i, w := range words {
		if i < form.indices {
			index, err := strconv.Atoi(w)
			if err != nil || index < 0 || index > maxIndex {
				return line{}, fmt.Errorf("%.20q: expected a number from 0", w)
			}
			l.indices = append(l.indices, index)
			continue
		}
		x, err := strconv.ParseFloat(w, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return line{}, fmt.Errorf("%.20q: expected a finite number", w)
		}
		l.figures = append(l.figures, x)
	}
	return l, nil
}

// parseQuestion reads what follows askPositions: the number of a robot. Without one the question has no index; what follows it is ignored.
func parseQuestion(words []string) line {
	l := line{verb: askPositions}
	if len(words) > 0 {
		if index, err := strconv.Atoi(words[0]); err == nil && index >= 0 && index <= maxIndex {
			l.indices = []int{index}
		}
	}
	return l
}

// answer returns the answer to a line, with the positions of joints. Lines that only show something have none.
func (l line) answer(q ...float64) string {
	switch l.verb {
	case setTorques:
		return "\n"
	case askPositions:
		text := []byte("6")
		for _, i := range l.indices {
			text = strconv.AppendInt(append(text, ' '), int64(i), 10)
		}
		for _, x := range q {
			text = strconv.AppendFloat(append(text, ' '), x, 'g', -1, 64)
		}
		return string(append(text, '\n'))
	}
	return ""
}

// frame returns the pose of a line that places something: x, y, z in m, then angles a, b, c in rad about the fixed axes x, y and z, in
// this order: R = Rz(c) Ry(b) Rx(a).
func (l line) frame() robots.Frame {
	f := l.figures
	q := spatial.RotZ(f[5]).Mul(spatial.RotY(f[4])).Mul(spatial.RotX(f[3])).Quat()
	return robots.Frame{P: [3]float64{f[0], f[1], f[2]}, Q: [4]float64{q.X, q.Y, q.Z, q.W}}
}
