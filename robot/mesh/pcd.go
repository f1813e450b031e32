package mesh

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// pcdFile is the header of a PCD file (Rusu and Cousins 2011), version 0.6 or 0.7.
type pcdFile struct {
	*source
	fields  []pcdField
	stride  int // bytes of a point
	columns int // values of a point
	width   int
	height  int
	points  int
	data    string
	sensor  spatial.Pose
	body    int // offset behind the header
}

type pcdField struct {
	name   string
	size   int  // bytes of a value
	kind   byte // F, I or U
	count  int  // values
	offset int  // in a point, bytes
	column int  // of the first value
}

// readPCD reads the fields x, y and z of a PCD file, as text, binary or compressed.
func readPCD(src *source) (*Cloud, error) {
	f := &pcdFile{source: src, height: 1, points: -1, sensor: spatial.IdentityPose()}
	if err := f.header(); err != nil {
		return nil, err
	}
	c := &Cloud{Width: f.width, Height: f.height, Sensor: f.sensor}
	var err error
	switch f.data {
	case "ascii":
		err = f.text(c)
	case "binary":
		raw := src.data[f.body:]
		if len(raw) < f.points*f.stride {
			return nil, src.bytef(len(src.data), "the file ends before its %d points of %d bytes, which begin at byte %d: it is truncated", f.points, f.stride, f.body)
		}
		err = f.binary(c, raw, func(field *pcdField, i int) int { return i*f.stride + field.offset })
	case "binary_compressed":
		var raw []byte
		if raw, err = f.uncompressed(); err == nil { // it has all values of a field in turn
			err = f.binary(c, raw, func(field *pcdField, i int) int { return field.offset*f.points + i*field.size*field.count })
		}
	}
	return c, err
}

// header reads the lines up to DATA.
func (f *pcdFile) header() error {
	w := &words{source: f.source, line: true}
	for more := true; more; more = w.endLine() {
		key, at := w.word()
		var values [][]byte
		for v, _ := w.word(); len(v) > 0; v, _ = w.word() {
			values = append(values, v)
		}
		if len(key) == 0 || key[0] == '#' {
			continue
		}
		if err := f.entry(w, string(key), at, values); err != nil {
			return err
		}
		if string(key) == "DATA" {
			w.endLine()
			f.body = min(w.next, len(f.source.data))
			return f.check(at)
		}
	}
	return f.textf(len(f.source.data), "the file ends before the line DATA: it is truncated or no PCD")
}

// entry reads a line of the header.
func (f *pcdFile) entry(w *words, key string, at int, values [][]byte) error {
	number := func(i, least, most int) (int, error) {
		if i >= len(values) {
			return 0, w.textf(at, "%s has %d values, want more", key, len(values))
		}
		n, err := strconv.Atoi(string(values[i]))
		if err != nil || n < least || n > most {
			return 0, w.textf(at, "%s is %q: want a number from %d to %d", key, values[i], least, most)
		}
		return n, nil
	}
	var err error
	switch key {
	case "VERSION":
	case "FIELDS":
		if len(values) > 256 {
			return w.textf(at, "%d fields: want at most 256", len(values))
		}
		for _, v := range values {
			f.fields = append(f.fields, pcdField{name: string(v), size: 4, kind: 'F', count: 1})
		}
	case "SIZE", "TYPE", "COUNT":
		if len(values) != len(f.fields) {
			return w.textf(at, "%s has %d values for %d fields", key, len(values), len(f.fields))
		}
		for i := range f.fields {
			switch field := &f.fields[i]; key {
			case "SIZE":
				field.size, err = number(i, 1, 8)
			case "TYPE":
				field.kind = values[i][0]
			default:
				field.count, err = number(i, 1, 1<<16)
			}
			if err != nil {
				return err
			}
		}
	case "WIDTH":
		f.width, err = number(0, 0, MaxPoints)
	case "HEIGHT":
		f.height, err = number(0, 1, MaxPoints)
	case "POINTS":
		f.points, err = number(0, 0, MaxPoints)
	case "VIEWPOINT":
		return f.viewpoint(w, at, values)
	case "DATA":
		if len(values) == 1 {
			f.data = string(values[0])
		}
		if !slices.Contains([]string{"ascii", "binary", "binary_compressed"}, f.data) {
			return w.textf(at, "DATA is %q: want ascii, binary or binary_compressed", values)
		}
	default:
		return w.textf(at, "%q is no line of a PCD header", key)
	}
	return err
}

// viewpoint reads the pose of the sensor: a position and a quaternion w, x, y, z.
func (f *pcdFile) viewpoint(w *words, at int, values [][]byte) error {
	var x [7]float64
	for i := range x {
		var err error
		if i >= len(values) {
			return w.textf(at, "VIEWPOINT has %d values, want 7", len(values))
		}
		if x[i], err = strconv.ParseFloat(string(values[i]), 64); err != nil || badCoordinate(x[i]) != "" {
			return w.textf(at, "VIEWPOINT: %q is no number", values[i])
		}
	}
	q := spatial.Quat{W: x[3], X: x[4], Y: x[5], Z: x[6]}
	if n := q.Norm(); !(n > 0.9 && n < 1.1) {
		return w.textf(at, "VIEWPOINT: the quaternion (w, x, y, z) has length %g, want 1", n)
	}
	f.sensor = spatial.Pose{R: q.Unit().Mat3(), P: spatial.Vec3{X: x[0], Y: x[1], Z: x[2]}}
	return nil
}

// check lays out the fields.
func (f *pcdFile) check(at int) error {
	if f.points < 0 {
		f.points = f.width * f.height
	}
	if f.points > MaxPoints {
		return f.textf(at, "%d points: want at most %d", f.points, MaxPoints)
	}
	if f.points != f.width*f.height {
		return f.textf(at, "%d points, but WIDTH %d times HEIGHT %d is %d", f.points, f.width, f.height, f.width*f.height)
	}
	have := map[string]bool{}
	for i := range f.fields {
		field := &f.fields[i]
		field.offset, field.column = f.stride, f.columns
		f.stride += field.size * field.count
		f.columns += field.count
		if name := field.name; name == "x" || name == "y" || name == "z" {
			if field.kind != 'F' || field.size != 4 && field.size != 8 {
				return f.textf(at, "field %s is of TYPE %c and SIZE %d: want F and 4 or 8", name, field.kind, field.size)
			}
			have[name] = true
		}
	}
	if len(have) < 3 {
		return f.textf(at, "the points have no fields x, y and z")
	}
	return nil
}

// text reads points as lines of words.
func (f *pcdFile) text(c *Cloud) error {
	w := &words{source: f.source, next: f.body}
	row := make([]float64, f.columns)
	for i := range f.points {
		begin := w.next
		for k := range row {
			word, at := w.word()
			if len(word) == 0 {
				return w.textf(at, "the file ends in point %d of %d: it is truncated", i+1, f.points)
			}
			x, err := strconv.ParseFloat(string(word), 64)
			if err != nil && !math.IsInf(x, 0) {
				return w.textf(at, "%q is not a number", word)
			}
			row[k] = x
		}
		var p spatial.Vec3
		for k := range f.fields {
			field := &f.fields[k]
			setAxis(&p, field.name, row[field.column])
		}
		if !c.add(p) {
			return w.textf(begin, "point %d: %s", i+1, badPoint(p))
		}
	}
	return nil
}

// binary reads points from raw values, which lie at an offset for each field and point.
func (f *pcdFile) binary(c *Cloud, raw []byte, at func(*pcdField, int) int) error {
	for i := range f.points {
		var p spatial.Vec3
		for k := range f.fields {
			field := &f.fields[k]
			if field.name != "x" && field.name != "y" && field.name != "z" {
				continue
			}
			b := raw[at(field, i):]
			if field.size == 4 {
				setAxis(&p, field.name, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
			} else {
				setAxis(&p, field.name, math.Float64frombits(binary.LittleEndian.Uint64(b)))
			}
		}
		if !c.add(p) {
			return f.bytef(f.body, "point %d: %s", i+1, badPoint(p))
		}
	}
	return nil
}

func setAxis(p *spatial.Vec3, name string, x float64) {
	switch name {
	case "x":
		p.X = x
	case "y":
		p.Y = x
	case "z":
		p.Z = x
	}
}

// uncompressed expands compressed data: two sizes, then a stream of LZF (Lehmann).
func (f *pcdFile) uncompressed() ([]byte, error) {
	data := f.source.data
	if len(data) < f.body+8 {
		return nil, f.bytef(len(data), "the file ends before its compressed points: it is truncated")
	}
	packed, size := int(binary.LittleEndian.Uint32(data[f.body:])), int(binary.LittleEndian.Uint32(data[f.body+4:]))
	if size != f.points*f.stride {
		return nil, f.bytef(f.body+4, "%d bytes of points, want %d for %d points of %d bytes", size, f.points*f.stride, f.points, f.stride)
	}
	if packed > len(data)-f.body-8 {
		return nil, f.bytef(len(data), "the file ends before its %d compressed bytes, which begin at byte %d: it is truncated", packed, f.body+8)
	}
	out, at, err := expandLZF(data[f.body+8:f.body+8+packed], size)
	if err != nil {
		return nil, f.bytef(f.body+8+at, "%w", err)
	}
	return out, nil
}

// expandLZF expands a stream of literal runs (a byte n < 32, then n + 1 bytes) and references: three bits of length, thirteen of distance. at is
// where the stream is wrong.
func expandLZF(in []byte, size int) (out []byte, at int, err error) {
	if size > 300*len(in) { // a reference of three bytes copies at most 264
		return nil, 0, fmt.Errorf("%d compressed bytes cannot hold %d", len(in), size)
	}
	out = make([]byte, 0, size)
	for i := 0; i < len(in); {
		control := int(in[i])
		at = i
		i++
		if control < 32 {
			if i+control+1 > len(in) {
				return nil, at, fmt.Errorf("the compressed data end in a run of %d bytes", control+1)
			}
			out = append(out, in[i:i+control+1]...)
			i += control + 1
			continue
		}
		length := control >> 5
		if length == 7 {
			if i >= len(in) {
				return nil, at, fmt.Errorf("the compressed data end in a reference")
			}
			length += int(in[i])
			i++
		}
		if i >= len(in) {
			return nil, at, fmt.Errorf("the compressed data end in a reference")
		}
		back := (control&31)<<8 + int(in[i]) + 1
		i++
		if back > len(out) {
			return nil, at, fmt.Errorf("the compressed data refer to %d bytes back, %d are there", back, len(out))
		}
		for range length + 2 {
			out = append(out, out[len(out)-back])
		}
		if len(out) > size {
			break
		}
	}
	if len(out) != size {
		return nil, len(in), fmt.Errorf("the compressed data hold %d bytes, want %d", len(out), size)
	}
	return out, 0, nil
}
