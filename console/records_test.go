package console_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/schema"
)

// writeLog writes 10,000 samples of a vector of two numbers, 1 ms apart: a saw-tooth with one peak, and its negative.
func writeLog(t *testing.T, path string) {
	t.Helper()
	writeList(t, path, 2, 10000, func(i, k int) float64 {
		x := float64(i % 100)
		if i == 7777 {
			x = 1e6
		}
		return x * float64(1-2*k)
	})
}

// writeList writes samples of a list, arm.q, 1 ms apart.
func writeList(t *testing.T, path string, length, samples int, value func(sample, element int) float64) {
	t.Helper()
	vector, err := schema.For[[]float64]()
	if err != nil {
		t.Fatal(err)
	}
	layout := vector.Layout(length)
	w, err := record.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	id, err := w.AddChannel("arm.q", layout)
	if err != nil {
		t.Fatal(err)
	}
	list := make([]any, length)
	for i := range samples {
		for k := range list {
			list[k] = value(i, k)
		}
		cdr, _ := layout.FromValue(list)
		at := int64(i) * 1e6
		if err := w.Write(record.Sample{Channel: id, LogTime: at, PublishTime: at, Sequence: uint32(i), CDR: cdr}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestPageReadsSignalsOfLogs(t *testing.T) {
	local, path := runFile(t, testFile)
	dir := filepath.Dir(path)
	writeLog(t, filepath.Join(dir, "run 1.mcap"))
	if err := os.WriteFile(filepath.Join(dir, "broken.mcap"), []byte("no log"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := open(t, local, withBlocks).page(aToken + " ann")
	if list := p.want("record.list", m{"system": "test"}).([]any); len(list) != 2 {
		t.Errorf("logs %v", list)
	}
	log := p.want("record.open", m{"system": "test", "file": "run 1.mcap"}).(m)
	signals := log["signals"].([]any)
	if len(signals) != 2 || signals[1].(m)["ref"] != "arm.q" || signals[1].(m)["element"] != 1.0 || log["end_ns"] != 9999e6 {
		t.Fatalf("log %v", log)
	}
	read := func(from, to float64, points int) (times, values []any) {
		s := p.want("record.read", m{"system": "test", "id": log["id"], "from_ns": from, "to_ns": to, "points": points,
			"signals": []m{{"ref": "arm.q", "element": 1}, {"ref": "arm.q[0]"}}}).(m)["s"].([]any)
		first := s[1].([]any)
		return first[1].([]any), first[2].([]any)
	}
	if times, values := read(1000e6, 1010e6, 1000); len(times) != 10 || times[0] != 1000e6 || values[3] != 3.0 {
		t.Errorf("%v %v", times, values)
	}
	times, values := read(0, 10000e6, 100)
	peak, before := false, -1.0
	for i, v := range values {
		peak = peak || v == 1e6
		if times[i].(float64) <= before {
			t.Fatalf("time %v after %v", times[i], before)
		}
		before = times[i].(float64)
	}
	if len(values) != 100 || !peak {
		t.Errorf("%d values, peak %v", len(values), peak)
	}
	p.refuse("record.open", m{"system": "test", "file": "../test.yaml"}, "no log")
	p.refuse("record.open", m{"system": "test", "file": path}, "no log")
	p.refuse("record.open", m{"system": "test", "file": "run.mcap"}, "run 1.mcap")
	p.refuse("record.open", m{"system": "test", "file": "broken.mcap"}, "broken.mcap")
	p.refuse("record.read", m{"system": "test", "id": "x", "to_ns": 1}, "open it again")
	p.refuse("record.read", m{"system": "test", "id": log["id"], "to_ns": 1, "signals": []m{{"ref": "arm.p"}}}, "arm.p")
}

// An answer with all points of each number of a list would take 700 MB.
func TestLogOfManySignalsTakesLittleMemory(t *testing.T) {
	const numbers, most = 1024, 200 << 20 // bytes
	local, path := runFile(t, testFile)
	writeList(t, filepath.Join(filepath.Dir(path), "run.mcap"), numbers, 3, func(i, k int) float64 { return float64(i + k) })
	p := open(t, local, withBlocks).page(aToken + " ann")
	request := m{"system": "test", "id": p.want("record.open", m{"system": "test", "file": "run.mcap"}).(m)["id"], "from_ns": 0, "to_ns": 1e9, "points": 1 << 15}
	var signals []m
	for k := range numbers {
		signals = append(signals, m{"ref": "arm.q", "element": k})
	}
	request["signals"] = signals
	var series []any
	if took := allocates(func() { series = p.want("record.read", request).(m)["s"].([]any) }); took > most {
		t.Errorf("the answer took %d MB", took>>20)
	}
	if len(series) != numbers || len(series[numbers-1].([]any)[1].([]any)) != 3 {
		t.Errorf("%d signals", len(series))
	}
	request["signals"] = []m{{"ref": "arm.q", "element": 7}, {"ref": "arm.q[8]"}, {"ref": "arm.q[7]"}}
	p.refuse("record.read", request, "the signals 0 and 2 are the same, arm.q[7]")
}

// TestShareOfALog asks for the page of a log, and for pages that cannot be made.
func TestShareOfALog(t *testing.T) {
	local, path := runFile(t, testFile)
	dir := filepath.Dir(path)
	writeLog(t, filepath.Join(dir, "run.mcap"))
	p := open(t, local, withBlocks).page(aToken + " ann")
	ask := func(query string) (int, string) {
		return p.browser.fetch("/share?system=test&" + query)
	}
	if code, text := ask("log=run.mcap&from_ns=1000000000&to_ns=2000000000&signal=arm.q[1]"); code != 200 || !strings.Contains(text, "<title>run · sinew</title>") {
		t.Errorf("%d, %d bytes", code, len(text))
	}
	for query, want := range map[string]struct {
		code int
		word string
	}{
		"log=run.mcap":                                       {400, "from_ns"},
		"log=run.mcap&from_ns=2&to_ns=1":                     {400, "from_ns < to_ns"},
		"log=run.mcap&from_ns=0&to_ns=0&signal=arm.p":        {422, `no signal "arm.p"`},
		"log=rum.mcap&from_ns=0&to_ns=0":                     {422, "run.mcap"},
		"log=../run.mcap&from_ns=0&to_ns=0":                  {422, "no log"},
		"log=run.mcap&from_ns=60000000000&to_ns=70000000000": {422, "no samples in this time"},
		"seconds=601":                                        {400, "seconds ≤ 600"},
		"seconds=1&note=" + strings.Repeat("x", 5000):        {400, "4 KiB"},
	} {
		if code, text := ask(query); code != want.code || !strings.Contains(text, want.word) {
			t.Errorf("%.80s: %d %q, want %d with %q", query, code, text, want.code, want.word)
		}
	}
}

// Each user has a turn for curves and one for pages to share, whatever another user has asked for.
func TestReadsAndSharesOfAUserLeaveTurnsToOthers(t *testing.T) {
	local, path := runFile(t, testFile)
	writeLog(t, filepath.Join(filepath.Dir(path), "run.mcap"))
	r := open(t, local, withBlocks)
	ann, bob := r.page(aToken+" ann"), r.page(aToken+" bob")
	id := ann.want("record.open", m{"system": "test", "file": "run.mcap"}).(m)["id"]
	for what, test := range map[string]struct {
		hold  func(*console.Server, string) func()
		waits func(*console.Server) bool
		ask   func(*page)
	}{
		"curves": {console.HoldReads, console.ReadsWait, func(p *page) {
			p.want("record.read", m{"system": "test", "id": id, "to_ns": 1e6, "signals": []m{{"ref": "arm.q", "element": 1}}})
		}},
		"pages to share": {console.HoldShares, console.SharesWait, func(p *page) {
			if code, text := p.browser.fetch("/share?system=test&log=run.mcap&from_ns=60000000000&to_ns=70000000000"); code != 422 {
				t.Errorf("%d %s", code, text) // it is answered: the log has no samples in this time
			}
		}},
	} {
		t.Run(what, func(t *testing.T) {
			done := test.hold(r.Server, "ann")
			answered := make(chan struct{})
			go func() { test.ask(ann); close(answered) }()
			testkit.Await(t, "the request of the user with no turn waits", func() bool { return test.waits(r.Server) })
			test.ask(bob)
			select {
			case <-answered:
				t.Error("a request beyond the user's turns was answered")
			default:
			}
			done()
			<-answered
		})
	}
}
