package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// TestTreeShowsAllVerticesApart reads a drawing back: each name is there once, inside the paper, and no two texts of a row touch.
func TestTreeShowsAllVerticesApart(t *testing.T) {
	r := testkit.Rand(t)
	for range 50 {
		n := 0
		var grow func(depth int) *Vertex
		grow = func(depth int) *Vertex {
			v := &Vertex{Name: fmt.Sprintf("v%d%s", n, strings.Repeat("m", r.IntN(20))), Edge: Edge{Name: fmt.Sprintf("e%d%s", n, strings.Repeat("i", r.IntN(40)))}}
			n++
			for depth < 5 && r.IntN(3) > 0 && len(v.Below) < 4 {
				v.Below = append(v.Below, grow(depth+1))
			}
			return v
		}
		root := grow(0)
		f, err := Tree("svg", "title", root, []Key{{Name: "a", Color: color.RGBA{A: 255}}, {Name: "b", Edge: true}})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := f.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		type span struct{ from, to float64 }
		rows, seen := map[string][]span{}, map[string]int{}
		for d := xml.NewDecoder(&b); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			e, ok := token.(xml.StartElement)
			if !ok || e.Name.Local != "text" {
				continue
			}
			at := map[string]string{}
			for _, a := range e.Attr {
				at[a.Name.Local] = a.Value
			}
			text, _ := d.Token()
			s := string(text.(xml.CharData))
			x, _ := strconv.ParseFloat(at["x"], 64)
			size, _ := strconv.ParseFloat(at["font-size"], 64)
			s1 := span{x, x + f.textWidth(s, size)}
			if seen[s]++; seen[s] > 1 || x < 0 || s1.to > f.width {
				t.Errorf("%q is there %d times, from %g to %g on a paper of %g", s, seen[s], s1.from, s1.to, f.width)
			}
			for _, s2 := range rows[at["y"]] {
				if s1.from < s2.to && s2.from < s1.to {
					t.Errorf("%q touches another text of its row", s)
				}
			}
			rows[at["y"]] = append(rows[at["y"]], s1)
		}
		if want := 3 + n + n - 1; len(seen) != want { // title and keys, vertices, edges
			t.Errorf("%d texts, expected %d", len(seen), want)
		}
	}
}

func TestTreeIsDrawnAsPNG(t *testing.T) {
	f, err := Tree("png", "one", &Vertex{Name: "alone"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := f.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(&b); err != nil {
		t.Error(err)
	}
	if _, err := Tree("gif", "one", &Vertex{}, nil); err == nil {
		t.Error("gif was drawn")
	}
}
