package rt

import (
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Wake is a bell at which one thread sleeps and which any thread rings. A ring is kept until it is taken, and several
// rings before that count as one. Ringing makes a system call only if the thread sleeps. The woken thread sees what
// the ringing thread wrote before. The zero value is ready for use; a Wake must not be copied.
type Wake struct {
	word atomic.Uint32
}

// WakeBytes is the memory that a Wake needs.
const WakeBytes = 4

// WakeAt returns the bell in mem, of at least [WakeBytes] bytes, for processes that share the memory: it is ready for
// use if mem is zero.
func WakeAt(mem []byte) *Wake {
	_ = mem[WakeBytes-1]
	return (*Wake)(unsafe.Pointer(unsafe.SliceData(mem)))
}

// States of the word, which the kernel compares before it lets a thread sleep.
const (
	wakeIdle uint32 = iota
	wakeRung
	wakeSleeping
)

// Operations of the futex system call (linux/futex.h), on a word that processes may share.
const (
	futexWake       = 1
	futexWaitBitset = 9 // its time is absolute, on the clock of Now
	futexAnyBit     = 1<<32 - 1
)

// Reset resets the bell, after a process that used it was killed. No thread may be waiting.
func (w *Wake) Reset() { w.word.Store(wakeIdle) }

// Wake rings the bell.
func (w *Wake) Wake() {
	if w.word.Swap(wakeRung) == wakeSleeping {
		// Ringing never blocks: the Go scheduler is not involved, since it would use the occasion to let others run.
		_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&w.word)), futexWake, 1, 0, 0, 0)
	}
}

// Wait takes a ring of the bell, sleeping for one at most for the timeout, or without end if the timeout is negative.
// It reports whether the bell rang. Only one thread may wait at a time.
//
// A word that no correct peer writes counts as a ring: the waiting thread checks its condition and resets the bell.
func (w *Wake) Wait(timeout time.Duration) bool { return w.wait(timeout, false) }

// WaitPinned waits like Wait, without leaving the Go scheduler's slot, like Sleeper.Pinned: it wakes as fast as C, and delays
// a stop of the world until the bell rings or the timeout ends.
func (w *Wake) WaitPinned(timeout time.Duration) bool { return w.wait(timeout, true) }

func (w *Wake) wait(timeout time.Duration, pinned bool) bool {
	if w.word.CompareAndSwap(wakeRung, wakeIdle) {
		return true
	}
	if timeout == 0 {
		return false
	}
	if !w.word.CompareAndSwap(wakeIdle, wakeSleeping) { // it rang just now, or its word is damaged
		w.word.Swap(wakeIdle)
		return true
	}
	var until *unix.Timespec
	var end int64
	if timeout > 0 {
		end = Now() + int64(timeout)
		t := unix.NsecToTimespec(end)
		until = &t
	}
	for {
		switch word := w.word.Load(); {
		case word != wakeSleeping:
			w.word.Swap(wakeIdle)
			return true
		// The bell may ring between reading the clock and the swap; then the swap fails and the ring is taken.
		case until != nil && Now() >= end:
			if w.word.CompareAndSwap(wakeSleeping, wakeIdle) {
				return false
			}
		case pinned:
			w.futexPinned(until)
		default:
			w.futexWait(until)
		}
	}
}

// futexWait sleeps. All its outcomes (woken, interrupted, too late to sleep, timeout) lead the caller back to the
// word, so none is returned.
func (w *Wake) futexWait(until *unix.Timespec) {
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&w.word)), futexWaitBitset, uintptr(wakeSleeping),
		uintptr(unsafe.Pointer(until)), 0, futexAnyBit)
}

// futexPinned waits without involving the Go scheduler.
func (w *Wake) futexPinned(until *unix.Timespec) {
	procPin()
	_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&w.word)), futexWaitBitset, uintptr(wakeSleeping),
		uintptr(unsafe.Pointer(until)), 0, futexAnyBit)
	keepSlot()
	procUnpin()
}
