package report

import (
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/record"
)

// The timeline of section 4.1 of Santini and Lages (2011), as threads would have measured it: t1 and t2 end the joints' reading,
// then sensor, controller with its PIDs, actuator, and both joints act. extra is what the model adds.
func publishedRun(extra int64) *record.RunStatistics {
	step := func(block, part string, begin, end int64) record.StepStatistics {
		return record.StepStatistics{Block: block, Part: part, Begin: 1000 * begin, End: 1000 * end, P50: 1000 * (end - begin)}
	}
	thread := func(name string, measured, start int64, steps ...record.StepStatistics) record.ThreadStatistics {
		return record.ThreadStatistics{Name: name, Measured: measured, Start: 1000 * start, Steps: steps}
	}
	const at, t0 = 320e6, 5_000_000
	idle := record.StepStatistics{Block: "scope", Part: "Step"} // does not run in every cycle
	s := &record.RunStatistics{System: "janus", Threads: []record.ThreadStatistics{
		thread("sampler", at, t0, step("robot", "Step", 0, 90), step("sampler", "Step", 90, 92)),
		thread("joints", at, t0+92, step("joint1", "Sense", 0, 259), step("joint2", "Sense", 259, 518),
			step("joint1", "Control", 578+extra, 653+extra), step("joint2", "Control", 653+extra, 728+extra)),
		thread("sensor", at, t0+610, step("sensor", "Step", 0, 20)),
		thread("servo", at, t0+630, step("controller", "Sense", 0, 8), step("pid1", "Step", 8, 14), step("pid2", "Step", 14, 20),
			step("controller", "Control", 20+extra, 30+extra), idle),
		thread("actuator", at, t0+660+extra, step("actuator", "Step", 0, 10)),
		thread("generator", at, t0+900, step("generator", "Step", 0, 5)),
		thread("slow", 319e6, t0-1e6, step("log", "Step", 0, 5)),
	}}
	if extra > 0 {
		servo := &s.Threads[3]
		servo.Steps = append(servo.Steps, step("model", "Step", 20, 20+extra))
	}
	return s
}

const publishedText = `source: Santini and Lages (2011)
cycle: [sampler, joint2.Control]
figures:
  - {name: whole cycle, published_us: 724, cycle_of: 1}
  - {name: a joint, published_us: 362, cycle_of: 2}
  - {name: monolithic, published_us: 331, note: by hand}
  - {name: more, published_us: 10, more_than_first: true}
  - {name: joint 1 reads, published_us: 259, steps: [joint1.Sense]}
  - {name: sensor, published_us: 20, steps: [sensor]}
  - {name: controller, published_us: 30, steps: [controller.Sense, pid1, pid2, controller.Control]}
  - {name: actuator, published_us: 10, steps: [actuator]}
  - {name: both act, published_us: 150, steps: [joint1.Control, joint2.Control]}
  - {name: not there, published_us: 1, steps: [joint3.Sense]}
`

func TestOneTimelineRunsFromSampleToTheEndOfActAcrossThreads(t *testing.T) {
	whole := cycleOf(publishedRun(0))
	if len(whole.without) != 1 || whole.without[0] != "slow" {
		t.Errorf("threads without the cycle: %v", whole.without)
	}
	c := whole.between("sampler", "joint2.Control")
	var names []string
	end := -1.0
	for _, s := range c.spans {
		names = append(names, s.name)
		if s.begin < end-1e-9 {
			t.Errorf("%s begins at %v, before the step before it ends", s.name, s.begin)
		}
		end = s.end
	}
	want := "sampler joint1.Sense joint2.Sense sensor controller.Sense pid1 pid2 controller.Control actuator joint1.Control joint2.Control"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the steps are\n%s, expected\n%s", got, want)
	}
	if c.spans[0].begin != 0 || c.length() != 730 {
		t.Errorf("it runs from %v to %v µs", c.spans[0].begin, c.length())
	}
	wellFormed(t, string(c.draw()))
	for _, want := range []string{"joints", "actuator", "joint1.Control", "259 µs"} {
		if !strings.Contains(string(c.draw()), want) {
			t.Errorf("the picture does not show %q", want)
		}
	}
}

func TestPublishedFiguresStandBesideTheMeasuredOnes(t *testing.T) {
	p, err := ReadPublished(strings.NewReader(publishedText), "p.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var cycles []cycle
	for _, extra := range []int64{0, 12} {
		cycles = append(cycles, cycleOf(publishedRun(extra)).between(p.From, p.To))
	}
	none := publishedCell{"–", "–"}
	for i, want := range []publishedRow{
		{"whole cycle", "724", "", []publishedCell{{"730", "730"}, {"742", "742"}}},
		{"a joint", "362", "", []publishedCell{{"365", "365"}, {"371", "371"}}},
		{"monolithic", "331", "by hand", []publishedCell{none, none}},
		{"more", "+10", "", []publishedCell{none, {"+12", "+12"}}},
		{"joint 1 reads", "259", "", []publishedCell{{"259", "259"}, {"259", "259"}}},
		{"sensor", "20", "", []publishedCell{{"20", "20"}, {"20", "20"}}},
		{"controller", "30", "", []publishedCell{{"30", "30"}, {"30", "30"}}},
		{"actuator", "10", "", []publishedCell{{"10", "10"}, {"10", "10"}}},
		{"both act", "150", "", []publishedCell{{"150", "150"}, {"150", "150"}}},
		{"not there", "1", "", []publishedCell{none, none}},
	} {
		got := p.compare(cycles, stepsOf(publishedRun(0)))[i]
		if got.Name != want.Name || got.Published != want.Published || got.Note != want.Note || got.Cells[0] != want.Cells[0] || got.Cells[1] != want.Cells[1] {
			t.Errorf("row %d is %v, expected %v", i, got, want)
		}
	}
}

// A step that the published cycle does not have stands in no figure: the robot that is simulated between Sample and the reading
// joints, and the scope, which the second controller happens to have within its cycle and the first after it.
func TestStepsThatThePublishedCycleDoesNotHaveAreNotCounted(t *testing.T) {
	step := func(name string, begin, end int64) record.StepStatistics {
		return record.StepStatistics{Block: name, Part: "Step", Begin: 1000 * begin, End: 1000 * end, P50: 1000 * (end - begin)}
	}
	run := func(steps ...record.StepStatistics) *record.RunStatistics {
		beside := record.ThreadStatistics{Name: "beside", Measured: 1, Start: 1000, Steps: []record.StepStatistics{step("monitor", 25, 45)}}
		return &record.RunStatistics{Threads: []record.ThreadStatistics{{Name: "servo", Measured: 1, Start: 1000, Steps: steps}, beside}}
	}
	first := run(step("sampler", 0, 1), step("robot", 2, 32), step("pid", 35, 40), step("joint", 41, 50), step("scope", 51, 55))
	second := run(step("sampler", 0, 1), step("robot", 2, 32), step("pid", 35, 40), step("scope", 40, 44), step("model", 44, 46), step("joint", 46, 55))
	cycles := []cycle{cycleOf(first).between("sampler", "joint"), cycleOf(second).between("sampler", "joint")}
	figures := []Figure{{Name: "whole", Published: 1, CycleOf: 1}, {Name: "more", Published: 1, More: true}}

	// the monitor runs from 25 to 45 on its own thread, beside robot, pid and scope
	p := &Published{Figures: figures, Without: []string{"robot", "scope"}}
	rows := p.compare(cycles, stepsOf(first))
	for i, want := range []publishedCell{{"35", "27"}, {"37", "32"}} {
		if got := rows[0].Cells[i]; got != want {
			t.Errorf("the cycle of log %d is %v, expected %v", i, got, want)
		}
	}
	if got, want := rows[1].Cells[1], (publishedCell{"+2", "+2"}); got != want {
		t.Errorf("the second log has %v more, expected %v", got, want)
	}
	if got := (&Published{Figures: figures}).compare(cycles, stepsOf(first))[1].Cells[1]; got != (publishedCell{"+2", "+2"}) {
		t.Errorf("a step that the first log has outside its cycle counts as more: %v", got)
	}
	if got := p.compare([]cycle{cycles[0], cycles[0]}, stepsOf(first))[1].Cells[1]; got != (publishedCell{"–", "–"}) {
		t.Errorf("a log with the same steps has %v more", got)
	}
	p.Without[1] = "scpoe"
	err := p.checkWithout([]*Log{{Statistics: first}})
	if err == nil || !strings.Contains(err.Error(), `the step "scpoe", which no log has; did you mean "scope"?`) {
		t.Errorf("a misspelled step to leave out: %v", err)
	}
}

// With a thread for each activity the sensor runs twice in a cycle: at Sample, and when the joints have written their positions.
func TestTimelineShowsBothExecutionsOfAStep(t *testing.T) {
	run := publishedRun(0)
	sensor := &run.Threads[2].Steps[0] // its thread starts 610 µs after the sampler's
	sensor.Again, sensor.AgainEnd = sensor.Begin, sensor.End
	sensor.Begin, sensor.End, sensor.P50 = -500_000, -490_000, 15_000
	c := cycleOf(run).between("sampler", "joint2.Control")
	var names []string
	for _, s := range c.spans {
		names = append(names, s.name)
	}
	want := "sampler joint1.Sense sensor joint2.Sense sensor controller.Sense pid1 pid2 controller.Control actuator joint1.Control joint2.Control"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the steps are\n%s, expected\n%s", got, want)
	}
	p := &Published{Figures: []Figure{{Name: "sensor", Published: 20, Steps: []string{"sensor"}}}}
	if got := p.compare([]cycle{c}, nil)[0].Cells[0]; got != (publishedCell{"30", "30"}) {
		t.Errorf("both executions of the sensor take %v", got)
	}
}

func TestStepsThatEndAfterThePublishedCycleAreNotInIt(t *testing.T) {
	step := func(name string, begin, end int64) record.StepStatistics {
		return record.StepStatistics{Block: name, Part: "Step", Begin: 1000 * begin, End: 1000 * end}
	}
	c := cycleOf(&record.RunStatistics{Threads: []record.ThreadStatistics{
		{Name: "a", Measured: 1, Start: 1000, Steps: []record.StepStatistics{step("before", 0, 100), step("from", 100, 110), step("to", 120, 130)}},
		{Name: "b", Measured: 1, Start: 1000, Steps: []record.StepStatistics{step("beside", 115, 180)}},
	}}).between("from", "to")
	if len(c.spans) != 2 || c.length() != 30 {
		t.Errorf("%v of %v µs", c.spans, c.length())
	}
}

func TestDurationsHaveThreeDigits(t *testing.T) {
	for ns, want := range map[int64]string{0: "0 µs", 264: "0.264 µs", 99_960: "100 µs", 259_000: "259 µs", 999_700: "1 ms", 12_123_000: "12.1 ms", 999_600_000: "1.0 s"} {
		if got := microseconds(ns); got != want {
			t.Errorf("%d ns is %q, expected %q", ns, got, want)
		}
	}
}

func TestMistakesInPublishedFiguresHaveAPosition(t *testing.T) {
	for text, want := range map[string]string{
		"figures: [{name: a, published_us: 1, stepz: [b]}]":          `p.yaml:1:38: no key "stepz"; did you mean "steps"?`,
		"figures: [{name: a, published_us: x, cycle_of: 1}]":         `p.yaml:1:35: published_us wants a number`,
		"figures: [{name: a, published_us: 1}]":                      `p.yaml:1:11: figure "a" wants exactly one of`,
		"figures: [{name: a, published_us: 1, cycle_of: 0}]":         `p.yaml:1:48: cycle_of wants`,
		"figures: [{published_us: 1, cycle_of: 1}]":                  `p.yaml:1:11: a figure wants name and published_us`,
		"cycle: [a]\nfigures: [{name: a, published_us: 1, note: b}]": `p.yaml:1:8: cycle wants its first and its last step`,
		"source: x":   `the file has no figures`,
		"figures: {}": `p.yaml:1:10: figures wants a list`,
		"- a":         `p.yaml:1:1: wants a mapping`,
		"a: [":        `read p.yaml:1:4: not YAML: the [ that opens here is not closed`,
		"a: {b: 1":    `read p.yaml:1:4: not YAML: the { that opens here is not closed`,
		"a:\n\tb: 1":  `read p.yaml:2:1: not YAML: a tab indents this line`,
		"":            `read p.yaml: the file is empty`,
	} {
		if _, err := ReadPublished(strings.NewReader(text), "p.yaml"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, expected %q", text, err, want)
		}
	}
}

func TestAPublishedCycleThatTheLogDoesNotHaveIsAnError(t *testing.T) {
	p := &Published{From: "pid1", To: "joint2.Control", Figures: []Figure{{Name: "a", Published: 1, CycleOf: 1}}}
	var page strings.Builder
	if err := Page(&page, []*Log{openLog(t, "a.mcap", 0.1)}, p); err == nil || !strings.Contains(err.Error(), `cycle names the step "joint2.Control", which the log does not have`) {
		t.Errorf("got %v", err)
	}
}

// The last measured cycle of a run that was interrupted may be cut off: the page is written, and reports it.
func TestPageReportsACycleThatWasCutOff(t *testing.T) {
	l := openLog(t, "a.mcap", 0.1)
	servo := &l.Statistics.Threads[0]
	servo.Steps = append(servo.Steps, record.StepStatistics{Block: "joint1", Part: "Control"})
	p := &Published{From: "pid1", To: "joint1.Control", Figures: []Figure{{Name: "a", Published: 1, CycleOf: 1}}}
	var page strings.Builder
	if err := Page(&page, []*Log{l}, p); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"does not reach from pid1 to the end of joint1.Control", "<td>a</td><td>1</td><td>–</td><td>–</td>", "One cycle of all threads"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}

func FuzzReadPublished(f *testing.F) {
	f.Add(publishedText)
	for _, s := range []string{"", "a: [", "figures: [1]", "figures: [{name: [a]}]", "cycle: &a [*a, b]", "? x\n: y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := ReadPublished(strings.NewReader(text), "p.yaml"); err == nil && len(p.Figures) == 0 {
			t.Error("a file without figures was accepted")
		}
	})
}
