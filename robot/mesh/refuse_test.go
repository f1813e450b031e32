package mesh_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/mesh"
)

// changed returns a file of testdata with a text in it replaced.
func changed(t *testing.T, file, from, to string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte(from)) {
		t.Fatalf("%s has no %q", file, from)
	}
	return bytes.Replace(data, []byte(from), []byte(to), 1)
}

func TestBrokenTextsAreRefusedWithTheirPlace(t *testing.T) {
	const dae = `<COLLADA><asset><unit meter="1"/><up_axis>Z_UP</up_axis></asset><library_geometries>
<geometry id="g"><mesh><source id="s"><float_array>0 0 0 1 0 0 0 1 0</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="w"><node id="n"><scale>1 1 1</scale><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#w"/></scene></COLLADA>`
	const ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
	const stl = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n"
	for _, c := range []struct{ name, file, content, from, to, want string }{
		{"STL, not a number", "a.stl", stl, "vertex 1 0 0", "vertex 1 x 0", `a.stl:5:10: "x" is not a number`},
		{"STL, NaN", "a.stl", stl, "vertex 1 0 0", "vertex 1 NaN 0", `a.stl:5:10: a coordinate is NaN`},
		{"STL, huge", "a.stl", stl, "vertex 1 0 0", "vertex 1 1e300 0", `a.stl:5:10: a coordinate is 1e+300`},
		{"STL, two corners", "a.stl", stl, "vertex 0 1 0\n", "", `a.stl:6:1: corner 3 of a facet is missing: here is "endloop"`},
		{"STL, four corners", "a.stl", stl, "endloop", "vertex 1 1 1", `a.stl:7:1: a facet has three corners`},
		{"STL, a word", "a.stl", stl, "facet", "faced", `a.stl:2:1: "faced" is no word of an STL`},
		{"STL, cut", "a.stl", stl, " 1 0\nendloop\nendfacet\nendsolid a\n", "", `a.stl:6:9: a coordinate is missing`},
		{"STL, not ended", "a.stl", stl, "endsolid a\n", "", "a.stl:9:1: the file ends before endsolid"},
		{"STL without triangles", "a.stl", "solid a\nendsolid a\n", "", "", "a.stl: the file has no triangles"},
		{"OBJ, no such point", "a.obj", cubeOBJ, "f 5 6 8 7", "f 5 6 8 9", "a.obj:11:9: the face names point 9: there are 8 points before it"},
		{"OBJ, two corners", "a.obj", cubeOBJ, "f 5 6 8 7", "f 5 6", "a.obj:11:6: a face has 2 corners"},
		{"OBJ, point of two numbers", "a.obj", cubeOBJ, "v 1 1 1", "v 1 1", "a.obj:9:6: a coordinate is missing"},
		{"OBJ, curve", "a.obj", cubeOBJ, "f 5 6 8 7", "surf 0 1 0 1 1 2", `a.obj:11:1: "surf" is a free-form`},
		{"PLY, cut", "a.ply", ply, "3 0 1 2", "3 0 1", "a.ply:14:1: the file ends before its last element"},
		{"PLY, no such vertex", "a.ply", ply, "3 0 1 2", "3 0 1 3", "a.ply:12:6: the face names vertex 3: there are 3"},
		{"PLY, infinity", "a.ply", ply, "1 0 0", "1 inf 0", "vertex 1: a coordinate is +Inf"},
		{"PLY, no z", "a.ply", ply, "property float z", "property float w", "a.ply:9:1: the element vertex has no property z"},
		{"PLY, format", "a.ply", ply, "ascii", "utf8", `a.ply:2:8: the format is "utf8"`},
		{"PLY, cloud", "a.ply", ply, "element face 1", "element face 0", "it is a point cloud"},
		{"COLLADA, not XML", "a.dae", dae, "</mesh>", "", "a.dae:4:"},
		{"COLLADA, index", "a.dae", dae, "0 1 2", "0 1 3", `a.dae:4:61: index 3 of <p> is "3": want 0 to 2`},
		{"COLLADA, two corners", "a.dae", dae, "0 1 2", "0 1", "a.dae:4:61: <p> has 2 corners"},
		{"COLLADA, no such source", "a.dae", dae, "#s", "#t", `a.dae:3:18: <input> names "#t", which is no id`},
		{"COLLADA, a number", "a.dae", dae, "0 1 0", "0 x 0", `a.dae:2:39: number 4 of <float_array> is "x"`},
		{"COLLADA, unit", "a.dae", dae, `meter="1"`, `meter="0"`, `a.dae:1:30: the unit is "0" m`},
		{"COLLADA, axis", "a.dae", dae, "Z_UP", "W_UP", `a.dae:1:34: the upward axis is "W_UP"`},
		{"COLLADA, circle", "a.dae", dae, `<instance_geometry url="#g"/>`, `<instance_node url="#n"/>`, "a.dae:5:45: the node contains itself"},
		{"COLLADA, skin", "a.dae", dae, `<instance_geometry url="#g"/>`, `<instance_controller url="#c"/>`, "skins and morphs"},
		{"COLLADA, beyond the limit", "a.dae", dae, "<scale>1 1 1", "<scale>1e300 1 1", "after the transformations of the scene a coordinate is 1e+300"},
		{"glTF, not JSON", "a.gltf", "{\n\"asset\": }", "", "", "a.gltf:2:"},
		{"glTF 1", "a.gltf", `{"asset": {"version": "1.0"}}`, "", "", `asset.version is "1.0"`},
		{"glTF, compressed", "a.gltf", `{"asset": {"version": "2.0"}, "extensionsRequired": ["KHR_draco_mesh_compression"]}`, "", "", "KHR_draco_mesh_compression, which is not read"},
		{"glTF, circle", "a.gltf", `{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"children": [0]}]}`, "", "", "a.gltf: node 0 contains itself"},
		{"unknown extension", "a.slt", stl, "", "", `a.slt: the extension ".slt" is that of no surface`},
	} {
		t.Run(c.name, func(t *testing.T) {
			content := strings.Replace(c.content, c.from, c.to, 1)
			_, err := text(c.file, content)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestBrokenBinariesAreRefusedWithTheirPlace(t *testing.T) {
	stl := changed(t, "bracket_binary.stl", "", "")
	nan := bytes.Clone(stl)
	binary.LittleEndian.PutUint32(nan[84+50+12:], math.Float32bits(float32(math.NaN())))
	huge := bytes.Clone(stl)
	binary.LittleEndian.PutUint32(huge[80:], 5_000_001)
	huge = append(huge, make([]byte, 84+5_000_001*50-len(huge))...)
	for _, c := range []struct {
		name, file string
		data       []byte
		want       string
	}{
		{"STL, cut", "a.stl", stl[:len(stl)-1], "a.stl: byte 1083: the file ends before its 20 triangles, at byte 1084"},
		{"STL, no header", "a.stl", stl[:20], "a.stl: byte 20: the file ends in the header of 84 bytes"},
		{"STL, empty", "a.stl", nil, "a.stl: byte 0: the file ends in the header"},
		{"STL, NaN", "a.stl", nan, "a.stl: byte 146: corner 1 of triangle 2 of 20: a coordinate is NaN"},
		{"STL, too many", "a.stl", huge, "a.stl: byte 80: 5000001 triangles are more than 5,000,000 triangles: reduce the surface"},
		{"PLY, cut", "a.ply", changed(t, "bracket_binary.ply", "", "")[:1500], "the file ends before its last element"},
		{"GLB, cut", "a.glb", changed(t, "bracket.glb", "", "")[:1500], "a.glb: byte 8: the file should have"},
		{"glTF, missing buffer", "a.gltf", changed(t, "bracket.gltf", "bracket.bin", "none.bin"), "none.bin: cannot open the file"},
		{"glTF, buffer outside", "a.gltf", changed(t, "bracket.gltf", "bracket.bin", "../bracket.bin"), "leads out of the files"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := mesh.Read(fstest.MapFS{c.file: {Data: c.data}}, c.file)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestBytesBehindTheLastTriangleAreNoted(t *testing.T) {
	data := append(changed(t, "bracket_binary.stl", "", ""), "metadata"...)
	s, err := mesh.Read(fstest.MapFS{"a.stl": {Data: data}}, "a.stl")
	if err != nil || len(s.Triangles) != 20 || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "8 bytes behind the last triangle") {
		t.Errorf("%v, %v", s, err)
	}
}
