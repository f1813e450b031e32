package mesh_test

import (
	"encoding/binary"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/mesh"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func TestCloudsHaveThePointsOfTheFile(t *testing.T) {
	c, err := mesh.ReadCloud(os.DirFS("testdata"), "scan.pcd")
	if err != nil || len(c.Points) != 3 || c.Width != 3 || c.Height != 1 || c.Points[1] != (spatial.Vec3{X: 0.90805, Y: 0.35641}) {
		t.Errorf("%+v, %v", c, err)
	}
	for _, file := range []string{"bracket.ply", "bracket_binary.ply"} {
		if c, err := mesh.ReadCloud(os.DirFS("testdata"), file); err != nil || len(c.Points) != 60 || c.Width != 60 {
			t.Errorf("%s: %d points, %v", file, len(c.Points), err)
		}
	}
}

// pcd returns a PCD of two points: (1, 2, 3), and one that the camera did not see.
func pcd(kind string) []byte {
	head := "VERSION 0.7\nFIELDS i x y z\nSIZE 2 4 4 8\nTYPE U F F F\nCOUNT 2 1 1 1\nWIDTH 2\nHEIGHT 1\nVIEWPOINT 0 0 1 1 0 0 0\nDATA " + kind + "\n"
	if kind == "ascii" {
		return []byte(head + "7 8 1 2 3\n7 8 nan nan nan\n")
	}
	le := binary.LittleEndian
	var points, fields []byte
	for _, x := range [][3]float64{{1, 2, 3}, {math.NaN(), math.NaN(), math.NaN()}} {
		points = le.AppendUint16(le.AppendUint16(points, 7), 8)
		points = le.AppendUint32(le.AppendUint32(points, math.Float32bits(float32(x[0]))), math.Float32bits(float32(x[1])))
		points = le.AppendUint64(points, math.Float64bits(x[2]))
	}
	if kind == "binary" {
		return append([]byte(head), points...)
	}
	for _, f := range [][2]int{{0, 4}, {4, 8}, {8, 12}, {12, 20}} {
		fields = append(append(fields, points[f[0]:f[1]]...), points[20+f[0]:20+f[1]]...)
	}
	packed := append([]byte{7}, fields[:8]...) // 8 bytes as they are, then the rest in runs of 32
	packed = append(append(packed, 31), fields[8:]...)
	size := le.AppendUint32(le.AppendUint32(nil, uint32(len(packed))), uint32(len(fields)))
	return append(append([]byte(head), size...), packed...)
}

func TestPointsWithoutAPlaceAreDropped(t *testing.T) {
	for _, kind := range []string{"ascii", "binary", "binary_compressed"} {
		c, err := mesh.ReadCloud(fstest.MapFS{"a.pcd": {Data: pcd(kind)}}, "a.pcd")
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Points) != 1 || c.Points[0] != (spatial.Vec3{X: 1, Y: 2, Z: 3}) || c.Dropped != 1 || c.Width != 2 || c.Sensor.P.Z != 1 {
			t.Errorf("%s: %+v", kind, c)
		}
	}
}

func TestBrokenCloudsAreRefused(t *testing.T) {
	for _, c := range []struct{ name, kind, from, to, want string }{
		{"no x", "ascii", "FIELDS i x", "FIELDS i u", "a.pcd:9:1: the points have no fields x, y and z"},
		{"kind", "ascii", "DATA ascii", "DATA text", `a.pcd:9:1: DATA is`},
		{"cut", "ascii", " nan nan nan\n", "\n", "the file ends in point 2 of 2"},
		{"word", "ascii", "1 2 3", "1 x 3", `a.pcd:10:7: "x" is not a number`},
		{"too far", "ascii", "1 2 3", "1 2e30 3", "point 1: a coordinate is 2e+30"},
		{"widths", "ascii", "HEIGHT 1", "HEIGHT 1\nPOINTS 3", "3 points, but WIDTH 2 times HEIGHT 1 is 2"},
		{"cut binary", "binary", "WIDTH 2", "WIDTH 3", "the file ends before its 3 points of 20 bytes"},
		{"compressed", "binary_compressed", "WIDTH 2", "WIDTH 3", "40 bytes of points, want 60"},
		{"no points", "ascii", "1 2 3", "1 inf 3", "the file has no points with a place; 2 have none"},
	} {
		data := strings.Replace(string(pcd(c.kind)), c.from, c.to, 1)
		_, err := mesh.ReadCloud(fstest.MapFS{"a.pcd": {Data: []byte(data)}}, "a.pcd")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", c.name, err, c.want)
		}
	}
}
