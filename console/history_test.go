package console_test

import (
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// span asks for the history of the system until it has some.
func (p *page) span(least time.Duration) (start, end float64) {
	p.t.Helper()
	testkit.Await(p.t, "history", func() bool {
		s := p.want("history.span", m{"system": "test"}).(m)
		start, end = s["start_ns"].(float64), s["end_ns"].(float64)
		return end-start > float64(least)
	})
	return start, end
}

func TestHistoryHasTheValuesAtATime(t *testing.T) {
	p := open(t, run(t, time.Millisecond, "a")).page("")
	start, end := p.span(300 * time.Millisecond)
	var first, before float64
	for i := range 5 {
		at := start + (end-start)*float64(i+1)/6
		values := p.want("history.at", m{"system": "test", "refs": []string{"a.Out", "a.out", "a.wide", "a.none"}, "time_ns": int64(at)}).(m)["values"].(m)
		wide, ok := values["a.wide"].([]any)
		if !ok || len(wide) != 3 || wide[0] != "NaN" || wide[1] != "+Inf" {
			t.Fatalf("at %v: %v", at, values)
		}
		out := values["a.out"].(float64)
		if out < before || wide[2].(float64) < out-30 || wide[2].(float64) > out+30 {
			t.Errorf("at %v: %v, %v before", at, values, before)
		}
		if i == 0 {
			first = out
		}
		before = out
		if len(values) != 2 {
			t.Errorf("values of ports that there are not: %v", values)
		}
	}
	if before <= first { // between two of the times a busy machine may have given the thread no processor
		t.Errorf("the count is %v at the first time and %v at the last", first, before)
	}
}

func TestHistoryHasTheCurvesOfSignals(t *testing.T) {
	p := open(t, run(t, time.Millisecond, "a")).page("")
	start, end := p.span(500 * time.Millisecond)
	reply := p.want("history.read", m{"system": "test", "from_ns": int64(start), "to_ns": int64(end), "points": 50,
		"signals": []m{{"ref": "a.none"}, {"ref": "a.out"}, {"ref": "a.wide", "element": 2}, {"ref": "a.wide"}}}).(m)["s"].([]any)
	if len(reply) != 2 {
		t.Fatalf("%v", reply)
	}
	for i, x := range reply {
		series := x.([]any)
		times, values := series[1].([]any), series[2].([]any)
		if series[0] != float64(i+1) || len(times) < 20 || len(times) > 50 || len(values) != len(times) {
			t.Fatalf("%v", series)
		}
		for k := 1; k < len(times); k++ {
			if times[k].(float64) <= times[k-1].(float64) || values[k].(float64) <= values[k-1].(float64) {
				t.Errorf("a count that does not grow: %v", series)
			}
		}
	}
	p.refuse("history.read", m{"system": "test", "from_ns": 5, "to_ns": 5}, "wants from_ns < to_ns")
	p.refuse("history.span", m{"system": "tset"}, "no system")
}

// broad writes a list of 256 counts.
type broad struct {
	Out block.Out[[]float64]

	n float64
}

func (b *broad) Setup(u *block.Setup) error { u.Len(256, &b.Out); return nil }

func (b *broad) Step(clock.Tick) error {
	b.n++
	for i := range *b.Out.Slot() {
		(*b.Out.Slot())[i] = b.n
	}
	b.Out.Commit()
	return nil
}

// allocates returns the bytes that this process allocates meanwhile.
func allocates(run func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// An answer with all points of as many signals as a request may name would take 2 GB.
func TestHistoryOfManySignalsTakesLittleMemory(t *testing.T) {
	const most = 300 << 20 // bytes, most of them garbage of the page that reads the answer
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "main", Period: 20 * time.Millisecond})
	var signals []m
	for i := range 16 {
		name := fmt.Sprintf("b%d", i)
		d.Add(name, &broad{}, diagram.Place{Thread: "main"})
		for k := range 256 {
			signals = append(signals, m{"ref": name + ".out", "element": k})
		}
	}
	p := open(t, execute(t, d)).page("")
	start, end := p.span(2 * time.Second)
	request := m{"system": "test", "from_ns": int64(start), "to_ns": int64(end), "points": 1 << 15, "signals": signals}
	points, series := 0, 0
	if took := allocates(func() {
		for _, s := range p.want("history.read", request).(m)["s"].([]any) {
			points += len(s.([]any)[1].([]any))
			series++
		}
	}); took > most {
		t.Errorf("the answer took %d MB", took>>20)
	}
	if points > 1<<18 || series < 4000 {
		t.Errorf("%d points of %d signals", points, series)
	}
	request["signals"] = append(signals[:4000:4000], signals[7])
	p.refuse("history.read", request, "the signals 7 and 4000 are the same, b0.out")
}

// noted waits until the log of a system has an event of some kind.
func (p *page) noted(system, kind string) {
	p.t.Helper()
	testkit.Await(p.t, system+" is "+kind, func() bool {
		return slices.ContainsFunc(p.want("log", m{"system": system}).([]any), func(e any) bool { return e.(m)["kind"] == kind })
	})
}

// gone ends a system of the console, and waits until the console has noticed.
func (r *rig) gone(p *page, name string) {
	r.t.Helper()
	r.systems.Remove(name)
	p.noted(name, "gone")
}

func TestHistoryOfAnEndedSystemStaysUntilItsNextRun(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"))
	p := r.page("")
	p.want("structure", m{"system": "test"})
	p.span(300 * time.Millisecond)
	r.gone(p, "test")
	ofRun := func() float64 { return p.want("history.span", m{"system": "test"}).(m)["run"].(float64) }
	first := ofRun()
	start, end := p.span(0)
	out := func(at float64) float64 {
		values := p.want("history.at", m{"system": "test", "refs": []string{"a.out"}, "time_ns": int64(at)}).(m)["values"].(m)
		v, _ := values["a.out"].(float64)
		return v
	}
	if first, last := out(start+(end-start)/4), out(end); first <= 0 || last <= first {
		t.Errorf("the count was %v, and %v at the end", first, last)
	}
	if _, again := p.span(0); again != end {
		t.Errorf("the history grows after the end: %v, then %v", end, again)
	}
	if code, text := p.browser.fetch("/share?system=test&seconds=600"); code != http.StatusOK || !strings.Contains(text, "<title>test · sinew</title>") {
		t.Errorf("a shared page of an ended system: %d %.200s", code, text)
	}

	r.systems.Add("test", run(t, time.Millisecond, "b"))
	testkit.Await(t, "the history of the next run", func() bool {
		values := p.want("history.at", m{"system": "test", "refs": []string{"a.out", "b.out"}, "time_ns": int64(end)}).(m)["values"].(m)
		return values["b.out"] != nil && values["a.out"] == nil
	})
	if next := ofRun(); next <= first {
		t.Errorf("the run after run %v is %v", first, next)
	}
}

func TestHistoriesOfTheLastTwoEndedSystemsAreKept(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"))
	p := r.page("")
	names := []string{"first", "second", "third"}
	for _, name := range names {
		r.systems.Add(name, run(t, time.Millisecond, "a"))
		p.want("history.span", m{"system": name})
	}
	for _, name := range names {
		p.noted(name, "back")
		r.gone(p, name)
	}
	p.refuse("history.span", m{"system": "first"}, "no system")
	p.want("history.span", m{"system": "second"})
	p.want("history.span", m{"system": "third"})
	p.want("history.span", m{"system": "test"}) // which runs
}
