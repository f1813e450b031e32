package mesh

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"

	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// MaxFileSize is the size in bytes of the largest file that is read.
const MaxFileSize = 512 << 20

// source is the content of a file with its place, for messages and for files that it names.
type source struct {
	fsys fs.FS
	file string
	data []byte
}

func open(fsys fs.FS, file string) (*source, error) {
	f, err := fsys.Open(file)
	if err != nil {
		var reason *fs.PathError // the file is named already
		if errors.As(err, &reason) {
			err = reason.Err
		}
		return nil, fmt.Errorf("%s: cannot open the file: %w", file, err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: cannot read the file: %w", file, err)
	case info.IsDir():
		return nil, fmt.Errorf("%s: cannot read the file: it is a folder; name a file in it", file)
	case info.Size() > MaxFileSize:
		return nil, fmt.Errorf("%s: the file has %d MiB: at most %d are read; reduce the surface", file, info.Size()>>20, MaxFileSize>>20)
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fmt.Errorf("%s: cannot read the file: %w", file, err)
	}
	return &source{fsys, file, data}, nil
}

// position returns the line and column of an offset.
func (s *source) position(offset int) document.Position {
	p := document.Position{File: s.file, Line: 1, Column: 1}
	for _, c := range s.data[:min(offset, len(s.data))] {
		switch {
		case c == '\n':
			p.Line, p.Column = p.Line+1, 1
		case c&0xc0 != 0x80: // not inside a character of several bytes
			p.Column++
		}
	}
	return p
}

// textf returns an error at an offset of a text.
func (s *source) textf(offset int, format string, args ...any) error {
	return document.Problem{Position: s.position(offset), Message: fmt.Sprintf(format, args...)}
}

// bytef returns an error at an offset of binary data.
func (s *source) bytef(offset int, format string, args ...any) error {
	return fmt.Errorf("%s: byte %d: %w", s.file, offset, fmt.Errorf(format, args...))
}

// words splits a text at white space.
type words struct {
	*source
	next int // offset of what was not read
	line bool
}

// word returns the next word and its offset; it is empty at the end of the text, or of the line if the line flag is set.
func (w *words) word() (word []byte, at int) {
	for w.next < len(w.data) && isSpace(w.data[w.next]) && !(w.line && w.data[w.next] == '\n') {
		w.next++
	}
	at = w.next
	for w.next < len(w.data) && !isSpace(w.data[w.next]) {
		w.next++
	}
	return w.data[at:w.next], at
}

// endLine moves behind the end of the line; more reports whether there is another one.
func (w *words) endLine() (more bool) {
	for w.next < len(w.data) && w.data[w.next] != '\n' {
		w.next++
	}
	w.next = min(w.next+1, len(w.data))
	return w.next < len(w.data)
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// coordinate reads the next word as a coordinate.
func (w *words) coordinate() (float64, error) {
	word, at := w.word()
	x, problem := parseCoordinate(word)
	if problem != "" {
		return 0, w.textf(at, "%s", problem)
	}
	return x, nil
}

// point reads three coordinates.
func (w *words) point() (p spatial.Vec3, err error) {
	for _, x := range []*float64{&p.X, &p.Y, &p.Z} {
		if *x, err = w.coordinate(); err != nil {
			return p, err
		}
	}
	return p, nil
}

// parseCoordinate returns a coordinate (m), or what is wrong with its text.
func parseCoordinate(word []byte) (float64, string) {
	x, err := strconv.ParseFloat(string(word), 64)
	if len(word) == 0 {
		return 0, "a coordinate is missing"
	}
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, strconv.Quote(document.Clip(string(word))) + " is not a number"
	}
	return x, badCoordinate(x)
}

// badCoordinate returns what is wrong with a coordinate, or "".
func badCoordinate(x float64) string {
	if !(math.Abs(x) <= geometry.Limit) {
		return fmt.Sprintf("a coordinate is %g: want a number from %g to %g", x, -geometry.Limit, geometry.Limit)
	}
	return ""
}

// badPoint returns what is wrong with a point, or "".
func badPoint(p spatial.Vec3) string {
	for _, x := range []float64{p.X, p.Y, p.Z} {
		if problem := badCoordinate(x); problem != "" {
			return problem
		}
	}
	return ""
}

// hash mixes the bits of a point, as the finalizer of MurmurHash3 does.
func hash(p spatial.Vec3) uint64 {
	h := uint64(0)
	for _, x := range [3]float64{p.X, p.Y, p.Z} {
		h ^= math.Float64bits(x)
		h ^= h >> 33
		h *= 0xff51afd7ed558ccd
		h ^= h >> 33
		h *= 0xc4ceb9fe1a85ec53
		h ^= h >> 33
	}
	return h
}
