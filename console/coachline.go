package console

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// coachVerb is what a line of the coach's port asks for: the numbers are those of the Robotics Library's demonstration
// programs (Rickert & Gaschler 2017), for which other programs were written.
type coachVerb int

const (
	placeBody     coachVerb = 0
	placeShape    coachVerb = 1
	setPositions  coachVerb = 2
	setTorques    coachVerb = 5
	tellPositions coachVerb = 6
)

// coachForm is how many whole numbers follow each verb, how many others (-1: one for each joint), and what they are.
var coachForm = map[coachVerb]struct {
	indices, figures int
	doc              string
}{
	placeBody:     {2, 6, "ROBOT LINK X Y Z A B C"},
	placeShape:    {3, 6, "ROBOT LINK SHAPE X Y Z A B C"},
	setPositions:  {1, -1, "ROBOT Q1 … QN"},
	setTorques:    {1, -1, "ROBOT T1 … TN"},
	tellPositions: {1, 0, "ROBOT"},
}

// The limits of a line.
const (
	maxCoachLine    = 64 << 10 // bytes
	maxCoachIndex   = 1 << 20
	maxCoachFigures = 4096
)

// coachLine is a line of the coach's port.
type coachLine struct {
	verb    coachVerb
	indices []int // of the robot, its link, the link's shape
	figures []float64
}

// parseCoachLine reads a line: numbers, parted by spaces.
func parseCoachLine(text string) (coachLine, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return coachLine{}, errors.New("an empty line")
	}
	n, err := strconv.Atoi(words[0])
	form, ok := coachForm[coachVerb(n)]
	if err != nil || !ok {
		return coachLine{}, fmt.Errorf("%.20q: wants 0, 1, 2, 5 or 6 first", words[0])
	}
	l := coachLine{verb: coachVerb(n)}
	words = words[1:]
	if len(words) < form.indices || form.figures >= 0 && len(words) != form.indices+form.figures || len(words) > maxCoachFigures {
		return coachLine{}, fmt.Errorf("%d with %d numbers behind it: wants %d %s", n, len(words), n, form.doc)
	}
	for i, w := range words {
		if i < form.indices {
			index, err := strconv.Atoi(w)
			if err != nil || index < 0 || index > maxCoachIndex {
				return coachLine{}, fmt.Errorf("%.20q: wants a number from 0", w)
			}
			l.indices = append(l.indices, index)
			continue
		}
		x, err := strconv.ParseFloat(w, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return coachLine{}, fmt.Errorf("%.20q: wants a finite number", w)
		}
		l.figures = append(l.figures, x)
	}
	return l, nil
}

// frame returns the pose of a placing line: x, y, z in m, then angles about x, y and z in rad, turned about the fixed axes
// in this order: R = Rz(c) Ry(b) Rx(a).
func (l coachLine) frame() bodyFrame {
	f := l.figures
	q := spatial.RotZ(f[5]).Mul(spatial.RotY(f[4])).Mul(spatial.RotX(f[3])).Quat()
	return bodyFrame{P: [3]float64{f[0], f[1], f[2]}, Q: [4]float64{q.X, q.Y, q.Z, q.W}}
}
