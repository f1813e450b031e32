package thread

import (
	"sync/atomic"

	"github.com/sinew-robotics/sinew/net/port"
)

// blockCell is the state of a block that its thread reports: written by the thread, read by the front at any time.
type blockCell struct {
	faulted  atomic.Bool
	disabled atomic.Bool
	faults   atomic.Uint32 // how often it went into error
	task     atomic.Uint32 // what became of the task of its activity: cellTask, …
}

// BlockState is the present state of a block. The zero value means that it runs.
type BlockState struct {
	Faulted  bool   // it is in error and waits for a reset
	Disabled bool   // its enable input reads false
	Resting  bool   // an input has had no data for too long
	Faults   uint32 // how often it went into error so far

	TaskEnded  bool // the task of its activity has returned
	TaskFailed bool // the task's error put the block in error
}

// State returns the present state of a block.
func (f *Front) State(b *port.Instance) BlockState {
	h := f.homes[b]
	if h.thread == nil {
		return BlockState{}
	}
	e := f.boundary.edges[h.thread.Index]
	c := &e.blocks[h.index]
	s := BlockState{Faulted: c.faulted.Load(), Disabled: c.disabled.Load(), Faults: c.faults.Load()}
	s.TaskEnded, s.TaskFailed = c.task.Load() == cellTaskEnded, c.task.Load() == cellTaskFailed
	for i := range h.thread.Steps {
		if h.thread.Steps[i].Block == b && e.counters.steps[i].late.Load() > 0 {
			s.Resting = true
		}
	}
	return s
}

// EachState calls visit with the present state of each block, thread by thread. It takes less time than [Front.State] of all
// blocks, which looks through the steps of a thread for each.
func (f *Front) EachState(visit func(*port.Instance, BlockState)) {
	resting := map[*port.Instance]bool{}
	for i, plan := range f.net.Threads {
		e := f.boundary.edges[i]
		for k := range plan.Steps {
			if e.counters.steps[k].late.Load() > 0 {
				resting[plan.Steps[k].Block] = true
			}
		}
		for k, b := range plan.Blocks {
			c := &e.blocks[k]
			visit(b, BlockState{Faulted: c.faulted.Load(), Disabled: c.disabled.Load(), Resting: resting[b], Faults: c.faults.Load()})
		}
	}
}

// EachSlips calls visit for each thread that has missed periods, with their number since the system started.
func (f *Front) EachSlips(visit func(thread string, slips uint64)) {
	for i, plan := range f.net.Threads {
		if n := f.boundary.edges[i].counters.slips.Load(); n > 0 {
			visit(plan.Name, n)
		}
	}
}

// ByHand reports whether an input or output holds a value of [Front.Feed] that has not been released.
func (f *Front) ByHand(p *port.Port) bool {
	h := f.homes[p.Block]
	return h.thread != nil && f.boundary.edges[h.thread.Index].hands[f.firstPort[p.Block]+p.Index].Load()
}

// FaultCount returns how often blocks have gone into error since the system started, including those that were reset and those
// before this front was attached.
func (f *Front) FaultCount() (n uint64) {
	for _, e := range f.boundary.edges {
		n += e.counters.faults.Load()
	}
	return n
}

// InError returns the blocks that are in error at present, each with its last error.
func (f *Front) InError() (list []Fault) {
	why := map[string]Fault{}
	for _, fault := range f.Faults() {
		why[fault.Block] = fault
	}
	for _, b := range f.net.Blocks {
		if h := f.homes[b]; h.thread == nil || !f.boundary.edges[h.thread.Index].blocks[h.index].faulted.Load() {
			continue
		}
		fault, ok := why[b.Name]
		if !ok {
			fault = Fault{Block: b.Name, Why: "its error is not known: it has just arisen, or arose before this front was attached"}
		}
		list = append(list, fault)
	}
	return list
}

// reportHands reports to the front which ports of a block have values given by hand, and counts its outputs among them.
func (t *thread) reportHands(s *blockState) {
	s.hands = 0
	for i, p := range s.inst.Ports {
		by := p.ByHand()
		s.shown[i].Store(by)
		if by && p.Kind == port.Output {
			s.hands++
		}
	}
}

// reportEnabled reports to the front whether the enable input lets the block run.
func (s *blockState) reportEnabled(on bool) {
	if s.cell.disabled.Load() == on {
		s.cell.disabled.Store(!on)
	}
}

// renew writes outputs that were given by hand again, at the turn of a block that is not executed: their readers do not
// find them too old.
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
