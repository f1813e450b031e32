package block

import (
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/clock"
)

// reader names files that people edit.
type reader struct {
	One  Const[string]   `file:"text" name:"first"`
	Many Const[[]string] `file:"program"`
	Else Const[string]
}

func (*reader) Step(clock.Tick) error { return nil }

func TestFileConstantsAreThoseWithTheTag(t *testing.T) {
	r := NewRegistry([]Entry{Of[reader]("reads")})
	if got := r.FileConstants("block.reader"); len(got) != 2 || got["first"] != "text" || got["many"] != "program" {
		t.Errorf("got %v", got)
	}
	if got := r.FileConstants("block.none"); len(got) != 0 {
		t.Errorf("got %v of an unknown type", got)
	}
}

func TestTagFileIsChecked(t *testing.T) {
	for name, b := range map[string]any{
		"a parameter that changes": new(struct {
			X Param[float64] `file:"program"`
		}),
		"a number": new(struct {
			X Const[int64] `file:"program"`
		}),
	} {
		func() {
			defer func() {
				if text, _ := recover().(error); text == nil || !strings.Contains(text.Error(), "has the tag file: wants a Const[string] or Const[[]string]") {
					t.Errorf("%s: got %v", name, text)
				}
			}()
			NewRegistry([]Entry{{Type: "x", New: func() Block { return b }}})
		}()
	}
}
