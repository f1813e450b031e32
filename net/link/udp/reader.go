package udp

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link/remote"
)

const (
	longest     = 20 * time.Millisecond // of one wait of a receiver at a socket; then the bell and the end are looked at
	forever     = time.Duration(-1)     // the thread's wait: each return of a system call rouses the Go scheduler's watchman
	drainAtOnce = 64                    // datagrams, so that a flood does not hold up a poll
)

// reader reads a socket. Whoever holds the token reads: a thread of the reader, or, where a peer's receiver is the only one
// that waits, its own goroutine, which spares a detour. That one keeps its turn between two calls of Receive: the thread looks
// only now and then whether it still comes.
type reader struct {
	socket *socket
	host   *remote.Host
	alone  func() bool
	quit   chan struct{}
	ending atomic.Bool
	over   atomic.Bool // the socket may be closed
	look   *time.Timer
	again  time.Duration // how long datagrams may lie when the one that reads has gone away

	token  atomic.Bool
	buffer []byte // the token's
	turn   chan struct{}
	visits atomic.Uint64           // how often others than the thread have read
	lonely atomic.Pointer[rt.Wake] // the bell of the only one that waits, while the thread reads
}

func newReader(s *socket, h *remote.Host, alone func() bool) *reader {
	return &reader{socket: s, host: h, alone: alone, quit: make(chan struct{}), turn: make(chan struct{}, 1), again: h.Period() / 2,
		look: time.NewTimer(0), buffer: make([]byte, 2048)}
}

// take reads one datagram with the token, and gives it to the host.
func (r *reader) take(timeout time.Duration, pinned bool) bool {
	n, from, ok := r.socket.read(r.buffer, timeout, pinned)
	if ok {
		r.host.Take(r.buffer[:n], from)
	}
	return ok
}

// release gives the token back; others may want it by now.
func (r *reader) release() {
	r.visits.Add(1)
	r.token.Store(false)
}

// run is the thread, which reads while several wait or nobody does. In the end it closes the socket.
func (r *reader) run() {
	runtime.LockOSThread() // for good: the thread ends with the goroutine
	for visits := uint64(0); !r.over.Load(); {
		if now := r.visits.Load(); r.alone() && now != visits || !r.token.CompareAndSwap(false, true) {
			visits = now
			r.rest()
			continue
		}
		for r.socket.bound(forever); !r.over.Load(); {
			if r.take(forever, false) && r.lonely.Load() != nil && r.alone() {
				break // from now on it reads itself
			}
		}
		r.socket.bound(longest)
		r.release()
		if bell := r.lonely.Load(); bell != nil {
			bell.Wake()
		}
	}
	for !r.token.CompareAndSwap(false, true) { // whoever reads is about to leave
		time.Sleep(time.Millisecond)
	}
	_ = r.socket.close()
}

// rest waits for the thread's turn. It is the Go scheduler that waits: a system call would keep it busy.
func (r *reader) rest() {
	r.look.Reset(r.again)
	select {
	case <-r.look.C:
	case <-r.turn:
	case <-r.quit:
	}
}

// serve asks the thread to read.
func (r *reader) serve() {
	select {
	case r.turn <- struct{}{}:
	default:
	}
}

// Write implements remote.Path.
func (r *reader) Write(d []byte) bool { return r.socket.write(d) }

// Wait implements remote.Path.
func (r *reader) Wait(bell *rt.Wake, timeout time.Duration) {
	switch {
	case r.over.Load(): // the peer has moved; the way there is about to be found
		bell.Wait(time.Duration(min(uint64(timeout), uint64(time.Millisecond))))
	case !r.alone():
		if !r.token.Load() {
			r.serve()
		}
		bell.Wait(timeout)
	case r.token.CompareAndSwap(false, true):
		r.read(bell, timeout)
		r.release()
		if !r.alone() {
			r.serve()
		}
	default:
		r.lonely.Store(bell)
		bell.Wait(timeout)
		r.lonely.Store(nil)
	}
}

// read reads with the token until the bell rings or the time is over.
func (r *reader) read(bell *rt.Wake, timeout time.Duration) {
	end, pinned := rt.Now()+int64(timeout), r.host.Pinned()
	for left := timeout; !r.over.Load(); {
		if left < 0 || left > longest {
			left = longest
		}
		r.take(left, pinned)
		if bell.Wait(0) {
			return
		}
		if timeout >= 0 {
			if left = time.Duration(end - rt.Now()); left <= 0 {
				return
			}
		}
	}
}

// Poll implements remote.Path.
func (r *reader) Poll() {
	if r.token.Load() || !r.token.CompareAndSwap(false, true) {
		return
	}
	for range drainAtOnce {
		if !r.take(0, false) {
			break
		}
	}
	r.release()
}

// Close implements remote.Path.
func (r *reader) Close() {
	if !r.ending.Swap(true) {
		r.socket.interrupt()
		r.over.Store(true)
		close(r.quit)
		if bell := r.lonely.Load(); bell != nil {
			bell.Wake()
		}
	}
}
