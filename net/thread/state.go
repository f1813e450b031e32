package thread

import (
	"sync/atomic"

	"github.com/sinew-robotics/sinew/net/block"
)

// blockCell is what a thread tells of one of its blocks: written by the thread, read by the front at any time.
type blockCell struct {
	faulted  atomic.Bool
	disabled atomic.Bool
	_        [2]byte
	faults   atomic.Uint32 // how often it fell in error
}

// BlockState is what a block does at present. The zero value is that of a block that runs.
type BlockState struct {
	Faulted  bool   // it is in error and waits for a reset
	Disabled bool   // its enable input reads false
	Resting  bool   // an input has had no data for too long
	Faults   uint32 // how often it fell in error so far
}

// State returns what a block does at present.
func (f *Front) State(b *block.Instance) BlockState {
	h := f.homes[b]
	if h.thread == nil {
		return BlockState{}
	}
	e := f.boundary.edges[h.thread.Index]
	c := &e.blocks[h.index]
	s := BlockState{Faulted: c.faulted.Load(), Disabled: c.disabled.Load(), Faults: c.faults.Load()}
	for i := range h.thread.Steps {
		if h.thread.Steps[i].Block == b && e.counters.steps[i].late.Load() > 0 {
			s.Resting = true
		}
	}
	return s
}

// ByHand reports whether an input or output has a value that was given with [Front.Feed] and not released.
func (f *Front) ByHand(p *block.Port) bool {
	h := f.homes[p.Block]
	return h.thread != nil && f.boundary.edges[h.thread.Index].hands[f.firstPort[p.Block]+p.Index].Load()
}

// FaultCount returns how often blocks fell in error so far, reset since or not, also before this front was attached.
func (f *Front) FaultCount() (n uint64) {
	for _, e := range f.boundary.edges {
		n += e.counters.faults.Load()
	}
	return n
}

// InError returns the blocks that are in error at present, with the last reason.
func (f *Front) InError() (list []Fault) {
	why := map[string]Fault{}
	for _, fault := range f.Faults() {
		why[fault.Block] = fault
	}
	for _, b := range f.net.Blocks {
		if !f.State(b).Faulted {
			continue
		}
		fault, ok := why[b.Name]
		if !ok {
			fault = Fault{Block: b.Name, Why: "it fell in error before this front was attached"}
		}
		list = append(list, fault)
	}
	return list
}

// tellHands tells the front which ports of a block have values given by hand, and counts its outputs among them.
func (t *thread) tellHands(s *blockState) {
	s.hands = 0
	for i, p := range s.inst.Ports {
		by := p.ByHand()
		s.told[i].Store(by)
		if by && p.Kind == block.OutPort {
			s.hands++
		}
	}
}

// tellEnabled tells the front whether the enable input lets the block run.
func (s *blockState) tellEnabled(on bool) {
	if s.cell.disabled.Load() == on {
		s.cell.disabled.Store(!on)
	}
}

// renew writes the outputs again that were given by hand, at the turn of a block that is not executed: who reads them does
// not find them too old.
func (s *step) renew() {
	if s.state.hands == 0 {
		return
	}
	for _, p := range s.plan.Block.Ports {
		if p.Part == s.plan.Part {
			p.Renew()
		}
	}
}
