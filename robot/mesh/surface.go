package mesh

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// MaxTriangles is the greatest number of triangles of a surface.
const MaxTriangles = 5_000_000

// Surface is a set of triangles. Points with the same coordinates are one point.
type Surface struct {
	Points    []spatial.Vec3 // m
	Triangles [][3]int       // indices of points, counter-clockwise seen from outside
	Notes     []string       // what the file has that is not part of the surface, with its place
}

// readers are the formats by extension.
var readers = map[string]func(*source) (*Surface, error){
	".stl": readSTL, ".obj": readOBJ, ".ply": readPLY, ".dae": readCOLLADA, ".gltf": readGLTF, ".glb": readGLTF,
}

// Read reads a surface from a file, in the format of its extension: .stl (binary or text), .obj, .ply (text or binary), .dae, .gltf or .glb.
func Read(fsys fs.FS, file string) (*Surface, error) {
	extension := strings.ToLower(path.Ext(file))
	read, ok := readers[extension]
	if !ok {
		var known []string
		for e := range readers {
			known = append(known, e)
		}
		return nil, fmt.Errorf("%s: the extension %q is that of no surface: want .stl, .obj, .ply, .dae, .gltf or .glb%s", file, extension, nearest.Hint(extension, known))
	}
	src, err := open(fsys, file)
	if err != nil {
		return nil, err
	}
	s, err := read(src)
	if err != nil {
		return nil, err
	}
	if len(s.Triangles) == 0 {
		return nil, fmt.Errorf("%s: the file has no triangles: export a surface", file)
	}
	s.weld()
	return s, nil
}

// errTooMany refuses a surface.
var errTooMany = errors.New("more than 5,000,000 triangles: reduce the surface; collision geometry needs a few hundred for each link")

// add appends a triangle.
func (s *Surface) add(a, b, c int) error {
	if len(s.Triangles) >= MaxTriangles {
		return errTooMany
	}
	s.Triangles = append(s.Triangles, [3]int{a, b, c})
	return nil
}

// Transform moves all points by a linear map and then a translation. A map that mirrors turns the triangles, so that their outside stays
// outside.
func (s *Surface) Transform(m spatial.Mat3, t spatial.Vec3) {
	for i := range s.Points {
		s.Points[i] = m.MulVec(s.Points[i]).Add(t)
	}
	if m.Det() < 0 {
		for i, c := range s.Triangles {
			s.Triangles[i] = [3]int{c[0], c[2], c[1]}
		}
	}
}

// weld makes points with the same coordinates one point and drops points of no triangle.
func (s *Surface) weld() {
	size := 16
	for size < 2*len(s.Points) {
		size *= 2
	}
	table := make([]int32, size) // 1 + index of a kept point; 0: empty
	kept := make([]spatial.Vec3, 0, len(s.Points)/2+1)
	now := make([]int32, len(s.Points)) // 1 + index among the kept
	for i := range s.Triangles {
		for k, at := range s.Triangles[i] {
			if now[at] == 0 {
				p := s.Points[at].Add(spatial.Vec3{}) // without negative zeros
				slot := hash(p) & uint64(size-1)
				for table[slot] != 0 && kept[table[slot]-1] != p {
					slot = (slot + 1) & uint64(size-1)
				}
				if table[slot] == 0 {
					kept = append(kept, p)
					table[slot] = int32(len(kept))
				}
				now[at] = table[slot]
			}
			s.Triangles[i][k] = int(now[at]) - 1
		}
	}
	s.Points = kept
}
