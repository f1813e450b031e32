package thread

import (
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/net/block"
)

// failed handles the error of a step: a [block.Trouble] passes, any other error puts the block in error.
func (t *thread) failed(s *step, err error) {
	if _, passes := err.(*block.Trouble); !passes {
		t.fault(s.state, err.Error())
		return
	}
	for _, p := range s.state.inst.Ports {
		p.ToSafe()
	}
	if s.state.troubled == nil {
		s.state.troubled = s
		t.reportTrouble(s.state, err.Error())
	}
}

// works ends the trouble of a block.
func (t *thread) works(s *blockState) {
	s.troubled = nil
	t.reportTrouble(s, "")
}

func (t *thread) reportTrouble(s *blockState, why string) {
	for i := range t.states {
		if &t.states[i] == s {
			putText(t.edge.replies, noteTrouble, uint32(i), why)
		}
	}
	t.counters.troubles.Add(1)
}

// noteTrouble keeps the trouble of a block as a warning; without a reason it ends.
func (f *Front) noteTrouble(name, why string) {
	ended := fmt.Sprintf("block %q works again", name)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.passing = slices.DeleteFunc(f.passing, func(w Warning) bool { return w.ended == ended })
	if why != "" {
		f.passing = append(f.passing, Warning{begun: fmt.Sprintf("block %q: %s; it is tried again", name, why), ended: ended})
	}
}
