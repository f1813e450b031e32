package mesh

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// gltf is a glTF 2.0 document: the parts of its JSON that make the surface.
type gltf struct {
	*source
	Asset      struct{ Version string }
	Required   []string `json:"extensionsRequired"`
	Scene      *int
	Scenes     []struct{ Nodes []int }
	Nodes      []gltfNode
	Meshes     []struct{ Primitives []gltfPrimitive }
	Accessors  []gltfAccessor
	Views      []gltfView `json:"bufferViews"`
	BufferList []struct {
		URI    string
		Length int `json:"byteLength"`
	} `json:"buffers"`

	chunk   []byte // the binary part of a GLB
	buffers map[int][]byte
	surface *Surface
	left    int // primitives of points and lines
	placed  int // nodes
}

type gltfNode struct {
	Children                     []int
	Mesh, Skin                   *int
	Matrix                       []float64
	Translation, Rotation, Scale []float64
}

type gltfPrimitive struct {
	Attributes map[string]int
	Indices    *int
	Mode       *int
	Targets    []json.RawMessage
}

type gltfAccessor struct {
	View       *int `json:"bufferView"`
	Offset     int  `json:"byteOffset"`
	Component  int  `json:"componentType"`
	Normalized bool
	Count      int
	Type       string
	Sparse     json.RawMessage
}

type gltfView struct {
	Buffer         int
	Offset, Length int
	Stride         int `json:"byteStride"`
}

// UnmarshalJSON reads the names of the format.
func (v *gltfView) UnmarshalJSON(text []byte) error {
	var f struct {
		Buffer     int
		ByteOffset int
		ByteLength int
		ByteStride int
	}
	err := json.Unmarshal(text, &f)
	*v = gltfView{f.Buffer, f.ByteOffset, f.ByteLength, f.ByteStride}
	return err
}

// gltfExtensions are extensions without which a file cannot be shown but its surface can be read.
var gltfExtensions = []string{"KHR_texture_transform", "KHR_mesh_quantization", "KHR_materials_unlit", "KHR_texture_basisu", "EXT_texture_webp"}

// readGLTF reads a glTF file, or its binary form GLB. Skins, morph targets, sparse accessors and compressed meshes are refused.
func readGLTF(src *source) (*Surface, error) {
	g := &gltf{source: src, buffers: map[int][]byte{}, surface: &Surface{}}
	text := src.data
	if len(text) >= 4 && string(text[:4]) == "glTF" {
		var err error
		if text, err = g.glb(); err != nil {
			return nil, err
		}
	}
	if err := json.Unmarshal(text, g); err != nil {
		return nil, src.jsonError(text, err)
	}
	if len(g.Asset.Version) == 0 || g.Asset.Version[0] != '2' {
		return nil, fmt.Errorf("%s: asset.version is %q: want glTF 2", src.file, g.Asset.Version)
	}
	for _, e := range g.Required {
		if !slices.Contains(gltfExtensions, e) {
			return nil, fmt.Errorf("%s: the file needs the extension %s, which is not read: export without it", src.file, e)
		}
	}
	up := affine{m: yUp}
	for _, i := range g.roots() {
		if err := g.node(i, &up, nil); err != nil {
			return nil, fmt.Errorf("%s: %w", src.file, err)
		}
	}
	for _, p := range g.surface.Points {
		if problem := badPoint(p); problem != "" {
			return nil, fmt.Errorf("%s: after the transformations of the scene %s", src.file, problem)
		}
	}
	if g.left > 0 {
		g.surface.Notes = append(g.surface.Notes, fmt.Sprintf("%s: %d primitives of points and lines are no part of the surface", src.file, g.left))
	}
	return g.surface, nil
}

// jsonError gives a mistake of the JSON its place.
func (s *source) jsonError(text []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	at := 0
	switch {
	case errors.As(err, &syntax):
		at = int(syntax.Offset)
	case errors.As(err, &kind):
		at = int(kind.Offset)
	}
	return (&source{file: s.file, data: text}).textf(at, "%v", err)
}

// glb returns the JSON chunk of the binary form, and keeps the binary one.
func (g *gltf) glb() ([]byte, error) {
	d := g.data
	if len(d) < 20 || binary.LittleEndian.Uint32(d[4:]) != 2 {
		return nil, g.bytef(4, "a GLB of version 2 begins with 20 bytes of headers")
	}
	if n := int(binary.LittleEndian.Uint32(d[8:])); n > len(d) {
		return nil, g.bytef(8, "the file should have %d bytes and has %d: it is truncated", n, len(d))
	}
	var text []byte
	for at := 12; at+8 <= len(d); {
		n, kind := int(binary.LittleEndian.Uint32(d[at:])), string(d[at+4:at+8])
		if n > len(d)-at-8 {
			return nil, g.bytef(at, "a chunk of %d bytes ends behind the file: it is truncated", n)
		}
		switch {
		case kind == "JSON" && text == nil:
			text = d[at+8 : at+8+n]
		case kind == "BIN\x00" && g.chunk == nil:
			g.chunk = d[at+8 : at+8+n : at+8+n]
		}
		at += 8 + n
	}
	if text == nil {
		return nil, g.bytef(12, "the first chunk is no JSON")
	}
	return text, nil
}

// roots returns the nodes of the scene; those without a parent in a file without scenes.
func (g *gltf) roots() []int {
	if len(g.Scenes) > 0 {
		i := 0
		if g.Scene != nil && *g.Scene >= 0 && *g.Scene < len(g.Scenes) {
			i = *g.Scene
		}
		return g.Scenes[i].Nodes
	}
	child := map[int]bool{}
	for _, n := range g.Nodes {
		for _, c := range n.Children {
			child[c] = true
		}
	}
	var roots []int
	for i := range g.Nodes {
		if !child[i] {
			roots = append(roots, i)
		}
	}
	return roots
}

// node adds a node below the nodes of path.
func (g *gltf) node(i int, at *affine, path []int) error {
	if i < 0 || i >= len(g.Nodes) {
		return fmt.Errorf("there is no node %d: want 0 to %d", i, len(g.Nodes)-1)
	}
	if slices.Contains(path, i) {
		return fmt.Errorf("node %d contains itself", i)
	}
	if g.placed++; g.placed > maxNodes {
		return fmt.Errorf("the scene has more than %d nodes", maxNodes)
	}
	n := &g.Nodes[i]
	local, err := n.transformation()
	if err != nil {
		return fmt.Errorf("node %d: %w", i, err)
	}
	at = at.then(local)
	if n.Skin != nil {
		return fmt.Errorf("node %d has a skin, whose form depends on joints: export a rigid mesh", i)
	}
	if n.Mesh != nil {
		if *n.Mesh < 0 || *n.Mesh >= len(g.Meshes) {
			return fmt.Errorf("node %d has mesh %d: want 0 to %d", i, *n.Mesh, len(g.Meshes)-1)
		}
		for k := range g.Meshes[*n.Mesh].Primitives {
			if err := g.primitive(&g.Meshes[*n.Mesh].Primitives[k], at); err != nil {
				return fmt.Errorf("mesh %d, primitive %d: %w", *n.Mesh, k, err)
			}
		}
	}
	path = append(path, i)
	for _, c := range n.Children {
		if err := g.node(c, at, path); err != nil {
			return err
		}
	}
	return nil
}

// transformation returns the matrix of a node, which is by columns, or its translation, rotation (x, y, z, w) and scale.
func (n *gltfNode) transformation() (*affine, error) {
	a := &affine{m: spatial.Identity()}
	for _, f := range []struct {
		name   string
		list   []float64
		length int
	}{{"matrix", n.Matrix, 16}, {"translation", n.Translation, 3}, {"rotation", n.Rotation, 4}, {"scale", n.Scale, 3}} {
		if f.list != nil && len(f.list) != f.length {
			return nil, fmt.Errorf("%s has %d numbers, want %d", f.name, len(f.list), f.length)
		}
	}
	if m := n.Matrix; m != nil {
		a.m = spatial.Mat3{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}}
		a.t = spatial.Vec3{X: m[12], Y: m[13], Z: m[14]}
		return a, nil
	}
	if r := n.Rotation; r != nil {
		q := spatial.Quat{X: r[0], Y: r[1], Z: r[2], W: r[3]}
		if l := q.Norm(); !(l > 0.99 && l < 1.01) {
			return nil, fmt.Errorf("rotation %v has length %g, want 1", r, l)
		}
		a.m = q.Unit().Mat3()
	}
	if s := n.Scale; s != nil {
		a.m = a.m.Mul(spatial.Mat3{{s[0], 0, 0}, {0, s[1], 0}, {0, 0, s[2]}})
	}
	if t := n.Translation; t != nil {
		a.t = spatial.Vec3{X: t[0], Y: t[1], Z: t[2]}
	}
	return a, nil
}
