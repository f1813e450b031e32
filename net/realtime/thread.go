package realtime

import (
	"slices"

	"github.com/sinew-robotics/sinew/internal/rt"
)

// MaxPriority is the highest priority of a thread or process.
const MaxPriority = rt.MaxPriority

// Options is what a thread requests. The zero value requests only a thread for this goroutine alone.
type Options struct {
	// Priority is the SCHED_FIFO priority, 1 (least urgent) to MaxPriority: the thread runs before all of lower priority. 0 keeps
	// normal scheduling. Threads and processes that it starts do not inherit the priority.
	Priority int
	// CPUs are the processors that may run the thread, counted from 0. None: all.
	CPUs []int
}

// Thread is an operating-system thread that one goroutine has exclusively.
type Thread struct{ locked *rt.Thread }

// Lock binds the calling goroutine to its thread and schedules that as requested, until Release. It returns a notice for each request
// that the system did not grant; the goroutine has the thread nevertheless. It panics if the priority is not 0 to MaxPriority or a
// processor is negative.
func Lock(o Options) (thread *Thread, notices []string) {
	locked, notices := rt.Lock(rt.ThreadOptions{Priority: o.Priority, CPUs: slices.Clone(o.CPUs)})
	return &Thread{locked}, notices
}

// Release restores the thread's former scheduling and frees the goroutine. The goroutine that called Lock must call it; another one
// panics. Further calls do nothing.
func (t *Thread) Release() { t.locked.Release() }

// Process holds what PrepareProcess has changed.
type Process struct{ latency *rt.LatencyHold }

// PrepareProcess prepares the process for real-time threads, and returns a notice for each request that the system did not grant:
//
//   - all its threads without a priority, now and later, have the given one, 1 to MaxPriority: those of the Go runtime, which
//     otherwise wait for other programs while a real-time thread waits for them. 0 leaves them; a low one, such as 1, is usual.
//     Programs that the process executes inherit it.
//   - all its memory, now and later, stays in physical memory
//   - no processor enters sleep states that are slow to leave, until Release
//
// It panics if the priority is out of range.
func PrepareProcess(priority int) (process *Process, notices []string) {
	hear := func(notice string) {
		if notice != "" {
			notices = append(notices, notice)
		}
	}
	hear(rt.LiftProcess(priority))
	hear(rt.LockMemory())
	hold, notice := rt.HoldLatency()
	hear(notice)
	return &Process{hold}, notices
}

// Release lets the processors sleep deeply again. Priority and memory keep what they have until the process ends. Further calls do
// nothing.
func (p *Process) Release() { p.latency.Release() }
