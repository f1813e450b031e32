package block

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

var errNone = errors.New("none")

type (
	stepWithoutError struct{ Out Out[float64] }
	lowerStep        struct{ Out Out[float64] }
	lowerSink        struct{ In In[float64] }
	lowerWithReset   struct {
		In    In[float64]
		Out   Out[float64]
		Reset Operation[None, None]
	}
	lowerWithHandler struct {
		Out  Out[float64]
		Came Handler[None] `trigger:"yes"`
	}
	wrongTick      struct{ Out Out[float64] }
	setUp          struct{ good }
	stopWithReason struct{ good }
	misspelledStep struct {
		good
		Out Out[float64]
	}
	senseOnly struct {
		Out Out[float64] `part:"sense"`
	}
	stepBesideHalves struct {
		Out Out[float64] `part:"sense"`
	}
	withoutPart struct{ Out Out[float64] }
	partOfStep  struct {
		good
		In In[float64] `part:"sense"`
	}
	misspelledUnit struct {
		good
		Angle Param[float64] `unti:"rad"`
	}
	defaultOfPort struct {
		good
		In In[float64] `default:"1"`
	}
	maybeTrigger struct {
		good
		In In[float64] `trigger:"true"`
	}
	stringPort struct {
		good
		In In[string]
	}
	badDefault struct {
		good
		Kp Param[float64] `default:"one"`
	}
	scalarDefault struct {
		good
		Kp Param[[]float64] `default:"1"`
	}
	defaultOutside struct {
		good
		Kp Param[float64] `default:"-1" min:"0"`
	}
	boundsCrossed struct {
		good
		Kp Param[float64] `min:"2" max:"1"`
	}
	spreadNumber struct {
		good
		Kp Param[float64] `spread:"yes"`
	}
	badBound struct {
		good
		Kp Param[float64] `min:"none"`
	}
	badSafe struct {
		good
		Out Out[[]float64] `safe:"off"`
	}
	badPart struct {
		Out Out[float64] `part:"sensor"`
	}
	hiddenPort struct {
		good
		speed In[float64]
	}
	pointerPort struct {
		good
		Speed *In[float64]
	}
	arrayPorts struct {
		good
		Speeds [3]In[float64]
	}
	sameName struct {
		good
		GearRatio Param[float64]
		Ratio     Param[float64] `name:"gear_ratio"`
	}
	enablePort struct {
		good
		Enable In[bool]
	}
	namesOfNothing struct {
		good
		Ins []In[float64] `names:"Signals"`
	}
	embeddedPort struct {
		good
		In[float64]
	}
)

// good is a block in order, for others to embed.
type good struct{}

func (*good) Step(clock.Tick) error { return nil }

func (*stepWithoutError) Step(clock.Tick)          {}
func (*lowerStep) step(clock.Tick) error           { return nil }
func (*lowerSink) step(clock.Tick) error           { return nil }
func (*lowerWithReset) step(clock.Tick) error      { return nil }
func (*lowerWithHandler) step(clock.Tick) error    { return nil }
func (*wrongTick) Step(float64) error              { return nil }
func (*setUp) SetUp(*Setup) error                  { return nil }
func (*stopWithReason) Stop(string) error          { return nil }
func (*misspelledStep) Stpe(clock.Tick) error      { return nil }
func (*senseOnly) Sense(clock.Tick) error          { return nil }
func (*stepBesideHalves) Sense(clock.Tick) error   { return nil }
func (*stepBesideHalves) Control(clock.Tick) error { return nil }
func (*stepBesideHalves) Step(clock.Tick) error    { return nil }
func (*withoutPart) Sense(clock.Tick) error        { return nil }
func (*withoutPart) Control(clock.Tick) error      { return nil }
func (*badPart) Sense(clock.Tick) error            { return nil }
func (*badPart) Control(clock.Tick) error          { return nil }

func TestRegistrationRefusesTypesThatCannotBeBlocks(t *testing.T) {
	_, _, _ = (*lowerStep).step, (*lowerSink).step, hiddenPort{}.speed
	_, _ = (*lowerWithReset).step, (*lowerWithHandler).step
	for _, c := range []struct {
		entry Entry
		want  string
	}{
		{Of[stepWithoutError](""), "the method Step is (clock.Tick), which never runs: write it as Step(t clock.Tick) error"},
		{Of[wrongTick](""), "the method Step is (float64) error, which never runs: write it as Step(t clock.Tick) error"},
		{Of[lowerStep](""), "it has outputs, but nothing writes them: add the method Step(t clock.Tick) error"},
		{Of[lowerSink](""), "it has inputs, but nothing reads them: add the method Step(t clock.Tick) error"},
		{Of[lowerWithReset](""), "it has inputs and outputs, but no step from one to the other: add the method Step(t clock.Tick) error"},
		{Of[lowerWithHandler](""), "port Came has the tag trigger, but the block has no step that it could run: add the method Step(t clock.Tick) error"},
		{Of[setUp](""), "the method SetUp never runs: write it as Setup(s *block.Setup) error"},
		{Of[stopWithReason](""), "the method Stop is (string) error, which never runs: write it as Stop() error"},
		{Of[misspelledStep](""), "the method Stpe never runs: did you mean Step?"},
		{Of[senseOnly](""), "it has Sense but no Control, so neither runs"},
		{Of[stepBesideHalves](""), "it has Step beside Sense and Control: Step never runs; remove it"},
		{Of[withoutPart](""), `port Out needs the tag part:"sense" or part:"control"`},
		{Of[partOfStep](""), "port In has the tag part, but the block has neither Sense nor Control"},
		{Of[misspelledUnit](""), `field Angle: a parameter has no tag "unti"; did you mean "unit"?`},
		{Of[defaultOfPort](""), `field In: an input has no tag "default"`},
		{Of[maybeTrigger](""), `field In: the tag trigger is "true": wants "yes", or leave it out`},
		{Of[stringPort](""), "field In is an input of type string: wants numbers, bools, or arrays, slices and structs of them; a text is a block.Const[string]"},
		{Of[badDefault](""), `field Kp: its default "one" does not fit its type float64: "one" is not a number`},
		{Of[scalarDefault](""), `field Kp: its default "1" gives no length: write it as "[1]"`},
		{Of[defaultOutside](""), "field Kp: its default lies outside its own bounds: kp is -1: wants at least 0"},
		{Of[boundsCrossed](""), "field Kp: its tag min is above max"},
		{Of[spreadNumber](""), "field Kp: the tag spread is for lists, and float64 is none"},
		{Of[badBound](""), `field Kp: the tag min is "none": wants a number`},
		{Of[badSafe](""), `field Out: its safe value "off": "off" is not a number`},
		{Of[badPart](""), `field Out: the tag part is "sensor": wants "sense" or "control"`},
		{Of[hiddenPort](""), "field speed is an input, but begins with a small letter and is not seen: write Speed"},
		{Of[pointerPort](""), "field Speed is a pointer of ports"},
		{Of[arrayPorts](""), "field Speeds is an array of ports"},
		{Of[sameName](""), `fields GearRatio and Ratio are both the parameter "gear_ratio"`},
		{Of[enablePort](""), `field Enable: every block has a port "enable" already`},
		{Of[namesOfNothing](""), "field Ins takes its names from Signals, which is no Const[[]string]"},
		{Of[embeddedPort](""), "is an input that is embedded: give it a name"},
		{Entry{Type: "value", New: func() Block { return good{} }}, "a block is a pointer to a struct"},
		{Entry{Type: "nothing", New: func() Block { return nil }}, "a block is a pointer to a struct"},
	} {
		problems := misuse(func() { NewRegistry([]Entry{c.entry}) })
		if len(problems) != 1 || !strings.Contains(problems[0], c.want) || c.entry.Type != "value" && c.entry.Type != "nothing" && !strings.Contains(problems[0], c.entry.Type) {
			t.Errorf("%s: got %q, want one problem with %q", c.entry.Type, problems, c.want)
		}
		if b := c.entry.New(); !slices.Equal(misuse(func() { new(inspector).Inspect("x", b, port.Given{}) }), problems) {
			t.Errorf("%s: the inspector does not refuse it as the registry does", c.entry.Type)
		}
	}
}

func TestRegistrationNamesThePlaceOfAMethod(t *testing.T) {
	got := misuse(func() { NewRegistry([]Entry{Of[wrongTick]("")}) })
	if place := regexp.MustCompile(`: misuse_test\.go:\d+: the method Step`); len(got) != 1 || !place.MatchString(got[0]) {
		t.Errorf("got %q, want the file and line of the method", got)
	}
}

func TestTagsThatTheLanguageIgnoresAreErrors(t *testing.T) {
	for tag, want := range map[string]string{
		`unit:rad`:               "cannot be read from `unit:rad` on",
		`doc: "the angle"`:       "cannot be read from",
		`unit:"rad",doc:"angle"`: "cannot be read from `,doc",
		`doc:"a" doc:"b"`:        "has doc twice",
		`doc:"a \"`:              "does not close the quotes of doc",
		`the angle`:              "cannot be read from",
	} {
		if _, err := parseTag(tag); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", tag, err, want)
		}
	}
	if keys, err := parseTag(` unit:"rad"  doc:"an \"angle\": one" `); err != nil || !slices.Equal(keys, []string{"unit", "doc"}) {
		t.Errorf("got %q, %v", keys, err)
	}
}

func TestRegistrationReportsAllTypesTogether(t *testing.T) {
	got := misuse(func() {
		NewRegistry([]Entry{Of[lowerStep](""), Of[good]("")}, []Entry{Of[badDefault](""), Of[good]("")})
	})
	if len(got) != 3 {
		t.Errorf("got %q, want three problems: two types, and one that is there twice", got)
	}
}

// answering has a method of the form of Setup's neighbours and one near them in name, but neither by mistake.
type answering struct {
	Out Out[float64]
	Ask Operation[None, None]
}

func (a *answering) Setup(*Setup) error { return nil }
func (a *answering) Reset() error       { return errNone }
func (a *answering) Steps() int         { return 0 }

func TestRegistrationTakesBlocksWithMethodsOfTheirOwn(t *testing.T) {
	if got := misuse(func() { NewRegistry([]Entry{Of[answering]("")}) }); got != nil {
		t.Errorf("refused: %q", got)
	}
}

// misuse returns the problems that f panics with.
func misuse(f func()) (problems []string) {
	defer func() {
		if m, ok := recover().(*Misuse); ok {
			problems = m.Problems
		}
	}()
	f()
	return nil
}
