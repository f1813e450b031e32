package share

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

//go:embed all:dist
var built embed.FS

// The limits of a page.
const (
	maxContents = 64e6 // bytes, before compression
	maxNotes    = 64
)

// Where Write puts the title and the contents into the built page.
const (
	titlePlace    = "<title>sinew</title>"
	contentsPlace = `<script type="application/octet-stream" id="run">`
)

// header is the JSON at the beginning of the contents. Numbers and files follow it; their places are counted in bytes from the end of the header,
// which is padded to a multiple of 8.
type header struct {
	*Run
	Clocks  []place            `json:"clocks"` // times in ns, as float64
	Signals []placedSignal     `json:"signals"`
	Files   map[string]content `json:"files"`
}

// place is a list of float64.
type place struct {
	At    int `json:"at"`
	Count int `json:"count"`
}

// placedSignal is a signal whose values are at a place; it has as many as its clock.
type placedSignal struct {
	*Signal
	Clock int `json:"clock"`
	At    int `json:"at"`
}

// content is a file's place.
type content struct {
	At   int `json:"at"`
	Size int `json:"size"`
}

// Write writes the page of a run. It fails if the run is larger than a page may be, and names the largest parts.
func Write(w io.Writer, r *Run) error {
	page, err := readPage()
	if err != nil {
		return err
	}
	return write(w, page, r)
}

func write(w io.Writer, page string, r *Run) error {
	if len(r.Notes) > maxNotes {
		return fmt.Errorf("%d notes: at most %d are possible", len(r.Notes), maxNotes)
	}
	if err := checkSize(r); err != nil {
		return err
	}
	before, after, ok := strings.Cut(page, contentsPlace)
	if !ok || !strings.Contains(before, titlePlace) {
		return errors.New("the built page has no place for a run: build the console's pages again (make ui)")
	}
	before = strings.Replace(before, titlePlace, "<title>"+html.EscapeString(r.Title)+" · sinew</title>", 1)
	if _, err := io.WriteString(w, before+contentsPlace); err != nil {
		return err
	}
	encoder := base64.NewEncoder(base64.StdEncoding, w)
	packer := gzip.NewWriter(encoder)
	if err := pack(packer, r); err != nil {
		return err
	}
	if err := errors.Join(packer.Close(), encoder.Close()); err != nil {
		return err
	}
	_, err := io.WriteString(w, after)
	return err
}

// readPage returns the page that the console's build has made.
func readPage() (string, error) {
	file, err := built.Open("dist/page.html.gz")
	if err != nil {
		return "", errors.New("this command was built without the console's pages: build it with make, which needs npm")
	}
	defer file.Close()
	reader, err := gzip.NewReader(file)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(reader)
	return string(text), err
}

// pack writes the contents: the length of the header as a little-endian uint32, the header, then numbers and files.
func pack(w io.Writer, r *Run) error {
	var body bytes.Buffer
	h := header{Run: r, Clocks: []place{}, Signals: []placedSignal{}, Files: map[string]content{}}
	clocks := map[*int64]int{}
	for _, s := range r.Signals {
		if len(s.Times) == 0 {
			continue
		}
		clock, known := clocks[&s.Times[0]]
		if !known || h.Clocks[clock].Count != len(s.Times) {
			clock = len(h.Clocks)
			clocks[&s.Times[0]] = clock
			h.Clocks = append(h.Clocks, place{body.Len(), len(s.Times)})
			for _, t := range s.Times {
				putFloat(&body, float64(t))
			}
		}
		h.Signals = append(h.Signals, placedSignal{s, clock, body.Len()})
		for _, v := range s.Values {
			putFloat(&body, v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Files)) {
		h.Files[name] = content{body.Len(), len(r.Files[name])}
		body.Write(r.Files[name])
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	for (4+len(text))%8 != 0 {
		text = append(text, ' ')
	}
	for _, part := range [][]byte{binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text, body.Bytes()} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

func putFloat(b *bytes.Buffer, v float64) {
	b.Write(binary.LittleEndian.AppendUint64(b.AvailableBuffer(), math.Float64bits(v)))
}

// checkSize fails if the contents are too large.
func checkSize(r *Run) error {
	parts := map[string]int{}
	for _, s := range r.Signals {
		parts[s.Ref] += 16 * len(s.Values)
	}
	for name, data := range r.Files {
		parts[name[strings.LastIndexByte(name, '/')+1:]] += len(data)
	}
	total := 0
	for _, n := range parts {
		total += n
	}
	if total <= maxContents {
		return nil
	}
	names := slices.SortedFunc(maps.Keys(parts), func(a, b string) int { return parts[b] - parts[a] })
	var largest []string
	for _, name := range names[:min(3, len(names))] {
		largest = append(largest, fmt.Sprintf("%s (%.1f MB)", name, float64(parts[name])/1e6))
	}
	return fmt.Errorf("the page would hold %.1f MB; at most %.0f MB are possible: share a shorter time or fewer signals. The largest parts are %s",
		float64(total)/1e6, float64(maxContents)/1e6, strings.Join(largest, ", "))
}
