package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/schema"
)

// writeLog writes a log of two joints that follow a sine with the given error, with a gap of NaN.
func writeLog(t *testing.T, name string, scale float64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	w, err := record.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	layout, err := schema.LayoutOf(reflect.ValueOf(0.0))
	if err != nil {
		t.Fatal(err)
	}
	signals := map[string]func(x float64) float64{
		"controller.ref1": math.Sin,
		"joint1.position": func(x float64) float64 { return math.Sin(x) - scale*math.Cos(x) },
		"scope.error1":    func(x float64) float64 { return scale * math.Cos(x) },
		"joint1.voltage":  func(x float64) float64 { return math.Inf(int(math.Cos(x))) },
	}
	ids := map[string]record.ID{}
	for name := range signals {
		if ids[name], err = w.AddChannel(name, layout); err != nil {
			t.Fatal(err)
		}
	}
	cdr := make([]byte, layout.Size())
	for k := range 1000 {
		for name, f := range signals {
			v := f(float64(k) * 2 * math.Pi / 1000)
			if k == 500 && name == "joint1.position" {
				v = math.NaN()
			}
			layout.Encode(cdr, unsafe.Pointer(&v))
			if err := w.Write(record.Sample{Channel: ids[name], LogTime: int64(k) * 1e7, CDR: cdr}); err != nil {
				t.Fatal(err)
			}
		}
	}
	statistics, err := json.Marshal(record.RunStatistics{
		System: "test", Duration: 10, Units: map[string]string{"controller.ref1": "rad", "joint1.position": "rad", "scope.error1": "rad"},
		Links: []link.State{{Name: "pid1.out", From: "servo", To: "motor", Outgoing: true, Packets: 1000, Stale: 21, Late: 22, Clipped: 23,
			Problem: "23 values could not be encoded as they were"}},
		Threads: []record.ThreadStatistics{{Name: "servo", Period: 0.01, Activations: 1000, Slips: 3,
			Cycle: record.Distribution{P50: 30e3, Max: 50e3, Buckets: []record.Bucket{{From: 28e3, To: 32e3, Count: 999}}},
			Start: 1, Steps: []record.StepStatistics{{Block: "pid1", Part: "Step", Begin: 1000, End: 1500}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Attach(record.StatisticsName, "application/json", statistics); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func openLog(t *testing.T, name string, scale float64) *Log {
	t.Helper()
	l, err := Open(writeLog(t, name, scale))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// wellFormed checks that text is XML.
func wellFormed(t *testing.T, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
	}
}

func TestPlotHasPanelsUnitsAndLegend(t *testing.T) {
	l := openLog(t, "a.mcap", 0.1)
	signals, err := l.Select([]string{"joint1.*", "controller.ref1"})
	if err != nil {
		t.Fatal(err)
	}
	if len(signals) != 3 {
		t.Fatalf("%d signals, want 3", len(signals))
	}
	var b bytes.Buffer
	if err := Plot(&b, "svg", signals, PlotOptions{Title: "Sines"}); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, b.String())
	for _, want := range []string{"[rad]", "joint1.position", "controller.ref1", "joint1.voltage", "time [s]", "Sines"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the plot does not show %q", want)
		}
	}
	if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
		t.Error("the plot draws NaN")
	}
	b.Reset()
	if err := Plot(&b, "png", signals, PlotOptions{}); err != nil || !bytes.HasPrefix(b.Bytes(), []byte("\x89PNG")) {
		t.Errorf("no PNG: %v", err)
	}
	if err := Plot(&b, "gif", signals, PlotOptions{}); err == nil {
		t.Error("a GIF was written")
	}
}

func TestUnknownSignalNamesTheNearest(t *testing.T) {
	_, err := openLog(t, "a.mcap", 0.1).Select([]string{"joint1.postion"})
	if err == nil || !strings.Contains(err.Error(), `did you mean "joint1.position"`) {
		t.Errorf("error is %v", err)
	}
}

func TestPageComparesRuns(t *testing.T) {
	a, b := openLog(t, "pid.mcap", 0.1), openLog(t, "ff.mcap", 0.02)
	var page strings.Builder
	if err := Page(&page, []*Log{a, b}, nil); err != nil {
		t.Fatal(err)
	}
	// The RMS of s·cos over a period is s/√2: 0.0707 and 0.0141, five times better.
	for _, want := range []string{"0.0707", "0.0141", "5.00 × better", "0.1</td>", "pid1", "0.5 µs", `class="bad">3</td>`, "controller.ref1",
		`<td>sends</td><td>1000</td><td>0</td><td>21</td><td class="bad">22</td><td class="bad">23</td><td>0</td><td>23 values could not`} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page does not show %q", want)
		}
	}
	for rest := page.String(); ; {
		_, after, ok := strings.Cut(rest, "<svg")
		if !ok {
			break
		}
		svg, end, _ := strings.Cut(after, "</svg>")
		wellFormed(t, "<svg"+svg+"</svg>")
		rest = end
	}
	if strings.Contains(page.String(), "<script") || strings.Contains(page.String(), "src=") {
		t.Error("the page is not self-contained")
	}
}

func TestThinningKeepsPeaks(t *testing.T) {
	s := Signal{}
	for i := range 100_000 {
		s.Time = append(s.Time, float64(i))
		s.Values = append(s.Values, 0)
	}
	s.Values[54_321], s.Values[77_777] = 9, -9
	small := thin(s, 250)
	if n := len(small.Values); n > 1100 {
		t.Errorf("%d points left of 1000 wanted", n)
	}
	if small.MaxAbs() != 9 || math.Abs(small.RMS()) == 0 {
		t.Error("a peak was lost")
	}
}
