package share

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"strings"
	"testing"
)

const emptyPage = "<html>" + titlePlace + contentsPlace + "</script></html>"

// contentsOf returns the header of a page and what follows it.
func contentsOf(t *testing.T, page string) (header map[string]any, body []byte) {
	t.Helper()
	_, rest, _ := strings.Cut(page, contentsPlace)
	text, _, _ := strings.Cut(rest, "</script>")
	packed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	n := binary.LittleEndian.Uint32(data)
	if err := json.Unmarshal(data[4:4+n], &header); err != nil {
		t.Fatal(err)
	}
	return header, data[4+n:]
}

func TestPageHoldsEveryNumberAndFile(t *testing.T) {
	times := []int64{0, 1e9, 1 << 52}
	a, b := NewSignal("arm.q[0]", "rad"), NewSignal("arm.q[1]", "rad")
	a.Times, a.Values = times, []float64{1, math.NaN(), math.Inf(-1)}
	b.Times, b.Values = times, []float64{4, 5, math.Pi}
	r := &Run{Title: "a", Signals: []*Signal{a, b}, Files: map[string][]byte{"/robot/s/b/robot.urdf": []byte("<robot/>")}}
	var page bytes.Buffer
	if err := write(&page, emptyPage, r); err != nil {
		t.Fatal(err)
	}
	header, body := contentsOf(t, page.String())
	if n := len(header["clocks"].([]any)); n != 1 {
		t.Errorf("%d clocks for two signals of one port, want 1", n)
	}
	second := header["signals"].([]any)[1].(map[string]any)
	at := int(second["at"].(float64)) + 16
	if v := math.Float64frombits(binary.LittleEndian.Uint64(body[at:])); v != math.Pi || second["element"] != 1.0 || second["ref"] != "arm.q" {
		t.Errorf("third value of %v is %v, want π of element 1 of arm.q", second, v)
	}
	file := header["files"].(map[string]any)["/robot/s/b/robot.urdf"].(map[string]any)
	if got := string(body[int(file["at"].(float64)):][:int(file["size"].(float64))]); got != "<robot/>" {
		t.Errorf("file %q", got)
	}
}

func TestTextsOfARunAreNotMarkup(t *testing.T) {
	hostile := `</script></title><img src=x onerror=alert(1)>`
	r := &Run{Title: hostile, System: hostile, Notes: []string{hostile}, Facts: []string{hostile}, Plots: []Plot{{Title: hostile}},
		Events: []Event{{Text: hostile, User: hostile}}, Files: map[string][]byte{hostile: []byte(hostile)}}
	var page bytes.Buffer
	if err := write(&page, emptyPage, r); err != nil {
		t.Fatal(err)
	}
	if text := page.String(); strings.Contains(text, "<img") || strings.Count(text, "</script>") != 1 || strings.Count(text, "</title>") != 1 {
		t.Errorf("a text of the run is markup:\n%s", text)
	}
	if header, _ := contentsOf(t, page.String()); header["title"] != hostile || header["notes"].([]any)[0] != hostile {
		t.Errorf("texts were changed: %v", header)
	}
}

func TestPageOverTheLimitNamesTheLargestParts(t *testing.T) {
	large, small := NewSignal("camera.image[7]", ""), NewSignal("arm.q", "")
	large.Values, small.Values = make([]float64, maxContents/16), make([]float64, 1)
	large.Times, small.Times = make([]int64, maxContents/16), make([]int64, 1)
	err := write(io.Discard, emptyPage, &Run{Signals: []*Signal{small, large}})
	if err == nil || !strings.Contains(err.Error(), "at most 64 MB") || !strings.Contains(err.Error(), "parts are camera.image (64.0 MB), arm.q") {
		t.Errorf("%v", err)
	}
}
