package rt

import (
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Wake is the bell at which one thread sleeps and which any thread rings. A ring is kept until it is taken, and
// several rings before that count as one. Ringing makes a system call only when the thread sleeps. What the ringing
// thread wrote before is seen by the woken one. The zero value is ready for use; a Wake must not be copied.
type Wake struct {
	word atomic.Uint32
}

// WakeBytes is the memory that a Wake needs.
const WakeBytes = 4

// WakeAt returns the bell that lies in mem, of at least [WakeBytes] bytes, for processes that share the memory: it is
// ready for use where mem is zero.
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

// Reset makes the bell as new: after a process that used it was killed. Nobody may be waiting.
func (w *Wake) Reset() { w.word.Store(wakeIdle) }

// Wake rings the bell.
func (w *Wake) Wake() {
	if w.word.Swap(wakeRung) == wakeSleeping {
		// Ringing never blocks: the Go scheduler need not know, and would use the occasion to let others run.
		_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&w.word)), futexWake, 1, 0, 0, 0)
	}
}

// Wait takes a ring of the bell, sleeping for one at most for the timeout, or without end if the timeout is negative.
// It reports whether the bell rang. Only one thread may wait at a time; a second one panics.
func (w *Wake) Wait(timeout time.Duration) bool { return w.wait(timeout, false) }

// WaitPinned is Wait without leaving the Go scheduler's slot, as Sleeper.Pinned does: it wakes as fast as C, and holds up
// a stop of the world until the bell rings or the time is over.
func (w *Wake) WaitPinned(timeout time.Duration) bool { return w.wait(timeout, true) }

func (w *Wake) wait(timeout time.Duration, pinned bool) bool {
	if w.word.CompareAndSwap(wakeRung, wakeIdle) {
		return true
	}
	if timeout == 0 {
		return false
	}
	if !w.word.CompareAndSwap(wakeIdle, wakeSleeping) {
		if w.word.CompareAndSwap(wakeRung, wakeIdle) {
			return true
		}
		panic("rt.Wake.Wait: expected one waiting thread, another one waits already")
	}
	var until *unix.Timespec
	var end int64
	if timeout > 0 {
		end = Now() + int64(timeout)
		t := unix.NsecToTimespec(end)
		until = &t
	}
	for !w.word.CompareAndSwap(wakeRung, wakeIdle) {
		// The bell may ring between this look at the clock and the swap; then the swap fails and the ring is taken.
		if until != nil && Now() >= end && w.word.CompareAndSwap(wakeSleeping, wakeIdle) {
			return false
		}
		if pinned {
			w.futexPinned(until)
		} else {
			w.futexWait(until)
		}
	}
	return true
}

// futexWait sleeps. All its outcomes (woken, interrupted, too late to sleep, time over) lead the caller back to the word,
// so none is returned.
func (w *Wake) futexWait(until *unix.Timespec) {
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&w.word)), futexWaitBitset, uintptr(wakeSleeping),
		uintptr(unsafe.Pointer(until)), 0, futexAnyBit)
}

// futexPinned waits without telling the Go scheduler.
func (w *Wake) futexPinned(until *unix.Timespec) {
	procPin()
	_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&w.word)), futexWaitBitset, uintptr(wakeSleeping),
		uintptr(unsafe.Pointer(until)), 0, futexAnyBit)
	keepSlot()
	procUnpin()
}
