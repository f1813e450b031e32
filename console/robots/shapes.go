package robots

import (
	"encoding/binary"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// The files of shapes: surfaces are binary STL; points are float32 in little-endian order, x, y, z and the radius of the ball around each, m.
const (
	surfaceFile = ".stl"
	pointsFile  = ".points"
)

// ShapeAddress returns the path on this server of the file of a shape of a robot's world, by the numbers of its body and its part. It is "" for a plane,
// which has none.
func ShapeAddress(system, robot string, body, part int, s *geometry.Shape) string {
	file := surfaceFile
	switch s.Kind() {
	case geometry.Plane:
		return ""
	case geometry.Cloud, geometry.DistanceField:
		file = pointsFile
	}
	return address(system, robot, "shape", strconv.Itoa(body), strconv.Itoa(part)+file)
}

// serveShape serves a shape of the world of a robot.
func (r *Robots) serveShape(w http.ResponseWriter, q *http.Request) {
	world, _, err := r.World(q.Context(), q.PathValue("system"), q.PathValue("block"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	name, isSurface := strings.CutSuffix(q.PathValue("part"), surfaceFile)
	name, isPoints := strings.CutSuffix(name, pointsFile)
	body, err1 := strconv.Atoi(q.PathValue("body"))
	part, err2 := strconv.Atoi(name)
	bodies := world.Scene.Bodies()
	if err1 != nil || err2 != nil || body < 0 || body >= len(bodies) || part < 0 || part >= len(bodies[body].Parts) {
		http.NotFound(w, q)
		return
	}
	shape := bodies[body].Parts[part].Shape
	var data []byte
	if isSurface {
		data = surfaceSTL(shape)
	} else if isPoints {
		data = pointsOf(shape)
	}
	if data == nil {
		http.NotFound(w, q)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", "private, no-cache")
	_, _ = w.Write(data)
}

// surfaceSTL returns the surface of a shape as binary STL, nil if it has none.
func surfaceSTL(s *geometry.Shape) []byte {
	points, triangles := s.Surface()
	if triangles == nil {
		return nil
	}
	data := binary.LittleEndian.AppendUint32(make([]byte, 80, 84+50*len(triangles)), uint32(len(triangles)))
	for _, t := range triangles {
		a, b, c := points[t[0]], points[t[1]], points[t[2]]
		data = appendFloats(data, b.Sub(a).Cross(c.Sub(a)).Unit())
		data = appendFloats(data, a)
		data = appendFloats(data, b)
		data = append(appendFloats(data, c), 0, 0)
	}
	return data
}

// pointsOf returns the balls of a cloud, nil for other shapes.
func pointsOf(s *geometry.Shape) []byte {
	centers, radii := s.Balls()
	if centers == nil {
		return nil
	}
	data := make([]byte, 0, 16*len(centers))
	for i, c := range centers {
		data = binary.LittleEndian.AppendUint32(appendFloats(data, c), math.Float32bits(float32(radii[i])))
	}
	return data
}

func appendFloats(data []byte, v spatial.Vec3) []byte {
	for _, x := range [3]float64{v.X, v.Y, v.Z} {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x)))
	}
	return data
}
