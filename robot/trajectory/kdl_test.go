package trajectory

import (
	"bufio"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Lines, circles and lines with rounded corners are those of KDL, with the same path coordinate.
func TestToolPathsAreThoseOfKDL(t *testing.T) {
	file, err := os.Open("testdata/kdl.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	const near = 1e-9
	var path *ToolPath
	cases := map[string]int{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		var f []float64
		if word != "#" {
			f = numbers(t, rest)
		}
		switch word {
		case "#":
		case "line":
			path = NewToolPath(pose(f)).LineTo(pose(f[7:]))
			cases[word]++
		case "circle":
			path = circle(t, pose(f), vector(f[7:]), vector(f[10:]), f[13], quat(f[14:]))
			cases[word]++
		case "rounded":
			path = rounded(t, f[0], f[1:])
			cases[word]++
		case "length":
			_, length := path.Domain()
			testkit.Near(t, "length", length, f[0], near)
		default:
			p := path.Pose(numbers(t, word)[0])
			testkit.Near(t, "position", p.P.Sub(vector(f)).Norm(), 0, near)
			testkit.Near(t, "orientation", p.R.T().Mul(quat(f[3:])).Log().Norm(), 0, near)
		}
	}
	if cases["line"] != 20 || cases["circle"] != 20 || cases["rounded"] != 20 {
		t.Errorf("the file has %v", cases)
	}
}

func vector(f []float64) spatial.Vec3 { return spatial.Vec3{X: f[0], Y: f[1], Z: f[2]} }

func quat(f []float64) spatial.Mat3 {
	return spatial.Quat{X: f[0], Y: f[1], Z: f[2], W: f[3]}.Unit().Mat3()
}

func pose(f []float64) spatial.Pose { return spatial.Pose{R: quat(f[3:]), P: vector(f)} }

// circle is KDL's: around a center, in the plane of another point, by an angle.
func circle(t *testing.T, start spatial.Pose, center, plane spatial.Vec3, alpha float64, end spatial.Mat3) *ToolPath {
	t.Helper()
	arm := start.P.Sub(center)
	axis := arm.Cross(plane.Sub(center)).Unit()
	at := func(angle float64) spatial.Vec3 { return center.Add(spatial.AngleAxis(angle, axis).MulVec(arm)) }
	path := NewToolPath(start)
	if err := path.ArcTo(at(alpha/2), spatial.Pose{R: end, P: at(alpha)}); err != nil {
		t.Fatal(err)
	}
	return path
}

// rounded is a polyline whose corners are arcs of a radius.
func rounded(t *testing.T, radius float64, f []float64) *ToolPath {
	t.Helper()
	path := NewToolPath(at(f[0], f[1], f[2]))
	for k := 3; k < len(f); k += 3 {
		corner := vector(f[k:])
		if k+3 == len(f) {
			path.LineTo(at(corner.X, corner.Y, corner.Z))
			break
		}
		in, out := corner.Sub(vector(f[k-3:])).Unit(), vector(f[k+3:]).Sub(corner).Unit()
		half := math.Acos(in.Dot(out)) / 2 // of the turn
		from, to := corner.Sub(in.Scale(radius*math.Tan(half))), corner.Add(out.Scale(radius*math.Tan(half)))
		inward := out.Sub(in).Unit()
		via := corner.Add(inward.Scale(radius/math.Cos(half) - radius))
		path.LineTo(at(from.X, from.Y, from.Z))
		if err := path.ArcTo(via, at(to.X, to.Y, to.Z)); err != nil {
			t.Fatal(err)
		}
	}
	return path
}
