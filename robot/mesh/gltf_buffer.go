package mesh

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"path"
	"strings"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Modes of primitives.
const (
	gltfTriangles = 4
	gltfStrip     = 5
	gltfFan       = 6
)

// gltfSizes are the sizes of the types of components in bytes.
var gltfSizes = map[int]int{5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}

// primitive adds the triangles of a primitive.
func (g *gltf) primitive(p *gltfPrimitive, at *affine) error {
	mode := gltfTriangles
	if p.Mode != nil {
		mode = *p.Mode
	}
	if mode < gltfTriangles {
		g.left++
		return nil
	}
	if len(p.Targets) > 0 {
		return errors.New("morph targets are not read: export a rigid mesh")
	}
	position, ok := p.Attributes["POSITION"]
	if !ok {
		return errors.New("it has no POSITION")
	}
	values, err := g.read(position, "VEC3")
	if err != nil {
		return fmt.Errorf("POSITION: %w", err)
	}
	first, begin := len(g.surface.Points), len(g.surface.Triangles)
	if first+len(values)/3 > 3*MaxTriangles {
		return errTooMany
	}
	for i := 0; i+2 < len(values); i += 3 {
		v := spatial.Vec3{X: values[i], Y: values[i+1], Z: values[i+2]}
		if problem := badPoint(v); problem != "" {
			return fmt.Errorf("POSITION %d: %s", i/3, problem)
		}
		g.surface.Points = append(g.surface.Points, at.apply(v))
	}
	corners, err := g.corners(p, first, len(values)/3)
	if err != nil {
		return err
	}
	switch mode {
	case gltfTriangles:
		if len(corners)%3 != 0 {
			return fmt.Errorf("%d corners of triangles: want a multiple of three", len(corners))
		}
		for i := 0; i+2 < len(corners) && err == nil; i += 3 {
			err = g.surface.add(corners[i], corners[i+1], corners[i+2])
		}
	case gltfStrip:
		err = g.surface.strip(corners)
	case gltfFan:
		err = g.surface.fan(corners)
	default:
		err = fmt.Errorf("mode %d: want 0 to 6", mode)
	}
	if at.m.Det() < 0 {
		for i := begin; i < len(g.surface.Triangles); i++ {
			t := &g.surface.Triangles[i]
			t[1], t[2] = t[2], t[1]
		}
	}
	return err
}

// corners returns the points of a primitive in turn: by its indices, or all of them.
func (g *gltf) corners(p *gltfPrimitive, first, n int) ([]int, error) {
	var corners []int
	if p.Indices == nil {
		for i := range n {
			corners = append(corners, first+i)
		}
		return corners, nil
	}
	indices, err := g.read(*p.Indices, "SCALAR")
	if err != nil {
		return nil, fmt.Errorf("indices: %w", err)
	}
	for k, x := range indices {
		if !(x >= 0 && x < float64(n)) || x != math.Trunc(x) {
			return nil, fmt.Errorf("index %d is %g: want 0 to %d", k, x, n-1)
		}
		corners = append(corners, first+int(x))
	}
	return corners, nil
}

// read returns the numbers of an accessor.
func (g *gltf) read(accessor int, kind string) ([]float64, error) {
	if accessor < 0 || accessor >= len(g.Accessors) {
		return nil, fmt.Errorf("there is no accessor %d: want 0 to %d", accessor, len(g.Accessors)-1)
	}
	a := &g.Accessors[accessor]
	size, width := gltfSizes[a.Component], 1
	if kind == "VEC3" {
		width = 3
	}
	switch {
	case a.Sparse != nil:
		return nil, fmt.Errorf("accessor %d is sparse, which is not read", accessor)
	case a.Type != kind || size == 0:
		return nil, fmt.Errorf("accessor %d is %s of component type %d: want %s of 5120 to 5126", accessor, a.Type, a.Component, kind)
	case a.Count < 0 || a.Count > 3*MaxTriangles:
		return nil, fmt.Errorf("accessor %d has %d elements: want at most %d", accessor, a.Count, 3*MaxTriangles)
	case a.View == nil:
		return nil, fmt.Errorf("accessor %d has no buffer view, so that all its numbers are zero: export its data", accessor)
	}
	data, stride, err := g.view(*a.View)
	if err != nil {
		return nil, fmt.Errorf("accessor %d: %w", accessor, err)
	}
	if stride == 0 {
		stride = size * width
	}
	if stride < size*width || stride > 252 || a.Offset < 0 || a.Offset > len(data) || (a.Count-1)*stride+size*width > len(data)-a.Offset {
		return nil, fmt.Errorf("accessor %d: %d elements of %d bytes every %d from byte %d do not fit into a view of %d bytes", accessor, a.Count, size*width, stride, a.Offset, len(data))
	}
	list := make([]float64, 0, a.Count*width)
	for i := range a.Count {
		for k := range width {
			list = append(list, a.component(data[a.Offset+i*stride+k*size:]))
		}
	}
	return list, nil
}

// component returns one number.
func (a *gltfAccessor) component(b []byte) float64 {
	x, most := 0.0, 1.0
	switch a.Component {
	case 5120:
		x, most = float64(int8(b[0])), math.MaxInt8
	case 5121:
		x, most = float64(b[0]), math.MaxUint8
	case 5122:
		x, most = float64(int16(binary.LittleEndian.Uint16(b))), math.MaxInt16
	case 5123:
		x, most = float64(binary.LittleEndian.Uint16(b)), math.MaxUint16
	case 5125:
		return float64(binary.LittleEndian.Uint32(b))
	case 5126:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	if a.Normalized {
		return max(x/most, -1)
	}
	return x
}

// view returns the bytes of a buffer view and its stride.
func (g *gltf) view(i int) ([]byte, int, error) {
	if i < 0 || i >= len(g.Views) {
		return nil, 0, fmt.Errorf("there is no buffer view %d: want 0 to %d", i, len(g.Views)-1)
	}
	v := &g.Views[i]
	buffer, err := g.buffer(v.Buffer)
	if err != nil {
		return nil, 0, err
	}
	if v.Offset < 0 || v.Length < 0 || v.Offset > len(buffer) || v.Length > len(buffer)-v.Offset {
		return nil, 0, fmt.Errorf("buffer view %d: %d bytes from byte %d are not in a buffer of %d", i, v.Length, v.Offset, len(buffer))
	}
	return buffer[v.Offset : v.Offset+v.Length], v.Stride, nil
}

// buffer returns a buffer: the binary chunk of a GLB, data in the text, or a file beside it.
func (g *gltf) buffer(i int) ([]byte, error) {
	if i < 0 || i >= len(g.BufferList) {
		return nil, fmt.Errorf("there is no buffer %d: want 0 to %d", i, len(g.BufferList)-1)
	}
	if b, ok := g.buffers[i]; ok {
		return b, nil
	}
	uri := g.BufferList[i].URI
	var data []byte
	switch {
	case uri == "" && i == 0 && g.chunk != nil:
		data = g.chunk
	case strings.HasPrefix(uri, "data:"):
		_, text, ok := strings.Cut(uri, ";base64,")
		var err error
		if data, err = base64.StdEncoding.DecodeString(text); err != nil || !ok {
			return nil, fmt.Errorf("buffer %d: its data are not base64: %v", i, err)
		}
	case uri == "" || strings.Contains(uri, "://"):
		return nil, fmt.Errorf("buffer %d is at %q: want a file, data, or the second chunk of a GLB", i, uri)
	default:
		name, err := url.PathUnescape(uri)
		file := path.Join(path.Dir(g.file), name)
		if err != nil || !fs.ValidPath(file) {
			return nil, fmt.Errorf("buffer %d: %q leads out of the files that can be read", i, uri)
		}
		beside, err := open(g.fsys, file)
		if err != nil {
			return nil, fmt.Errorf("buffer %d: %w", i, err)
		}
		data = beside.data
	}
	if len(data) < g.BufferList[i].Length {
		return nil, fmt.Errorf("buffer %d has %d bytes, %d are stated: it is truncated", i, len(data), g.BufferList[i].Length)
	}
	g.buffers[i] = data
	return data, nil
}
