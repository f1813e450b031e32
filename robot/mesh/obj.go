package mesh

import (
	"bytes"
	"strconv"
)

// readOBJ reads the points and faces of a Wavefront OBJ. Free-form curves and surfaces are refused; lines, points, normals, textures, groups and
// materials do not change the surface.
func readOBJ(src *source) (*Surface, error) {
	s := &Surface{}
	w := &words{source: src, line: true}
	left := map[string]int{}
	for more := true; more; more = w.endLine() {
		keyword, at := w.word()
		switch key := string(keyword); key {
		case "v":
			p, err := w.point()
			if err != nil {
				return nil, err
			}
			s.Points = append(s.Points, p)
		case "f":
			face, err := objFace(w, len(s.Points))
			if err != nil {
				return nil, err
			}
			if err := s.polygon(face); err != nil {
				return nil, w.textf(at, "%v", err)
			}
		case "curv", "curv2", "surf":
			return nil, w.textf(at, "%q is a free-form curve or surface, which is not read: export polygons", key)
		case "l", "p":
			left[key]++
		}
	}
	if n := left["l"] + left["p"]; n > 0 {
		s.Notes = append(s.Notes, src.file+": "+strconv.Itoa(n)+" lines and points are no part of the surface")
	}
	return s, nil
}

// objFace reads corners of the form POINT[/TEXTURE[/NORMAL]] up to the end of the line. Points count from 1, or backwards from -1.
func objFace(w *words, points int) (face []int, err error) {
	for {
		word, at := w.word()
		if len(word) == 0 {
			if len(face) < 3 {
				return nil, w.textf(at, "a face has %d corners: want at least three", len(face))
			}
			return face, nil
		}
		if string(word) == "\\" { // the line goes on
			w.endLine()
			continue
		}
		number, _, _ := bytes.Cut(word, []byte("/"))
		i, err := strconv.Atoi(string(number))
		switch {
		case err != nil:
			return nil, w.textf(at, "%q is no corner of a face: want POINT, POINT/TEXTURE or POINT/TEXTURE/NORMAL", word)
		case i < 0:
			i += points + 1
		}
		if i < 1 || i > points {
			return nil, w.textf(at, "the face names point %s: there are %d points before it", number, points)
		}
		face = append(face, i-1)
	}
}
