package udp

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

const (
	longest     = 20 * time.Millisecond // of one wait of a receiver at a socket; then it checks the bell and the end
	forever     = time.Duration(-1)     // the thread's wait: each return of a system call wakes the Go scheduler's monitor
	drainAtOnce = 64                    // datagrams, so that a flood does not block a poll
)

// reader reads a socket. The holder of the token reads: a thread of the reader or, if exactly one receiver of a peer
// waits, that receiver's own goroutine, which saves a wake-up. The receiver keeps its turn between two calls of
// Receive: the thread only checks now and then whether it still reads.
type reader struct {
	socket *socket
	host   link.Host
	pinned bool // a receiver that reads keeps the Go scheduler from interrupting it
	alone  func() bool
	quit   chan struct{}
	ending atomic.Bool
	over   atomic.Bool // the socket may be closed
	look   *time.Timer
	again  time.Duration // how long datagrams may wait after the reading receiver has gone

	token  atomic.Bool
	buffer []byte // used by the token's holder
	turn   chan struct{}
	visits atomic.Uint64           // how often a receiver has read
	waiter atomic.Pointer[rt.Wake] // the bell of the only waiting receiver, while the thread reads
}

func newReader(s *socket, h link.Host, alone func() bool) *reader {
	return &reader{socket: s, host: h, alone: alone, quit: make(chan struct{}), turn: make(chan struct{}, 1),
		look: time.NewTimer(0), buffer: make([]byte, 2048)}
}

// take reads one datagram, holding the token, and passes it to the host.
func (r *reader) take(timeout time.Duration, pinned bool) bool {
	n, from, ok := r.socket.read(r.buffer, timeout, pinned)
	if ok {
		r.host.Take(r.buffer[:n], link.Address{IP: from})
	}
	return ok
}

// release returns the token; other readers may need it by now.
func (r *reader) release() {
	r.visits.Add(1)
	r.token.Store(false)
}

// run executes the thread, which reads while no receiver or several wait. When the reader is closed, it closes the
// socket.
func (r *reader) run() {
	runtime.LockOSThread() // for good: the thread ends with the goroutine
	for visits := uint64(0); !r.over.Load(); {
		if now := r.visits.Load(); r.alone() && now != visits || !r.token.CompareAndSwap(false, true) {
			visits = now
			r.waitTurn()
			continue
		}
		for r.socket.bound(forever); !r.over.Load(); {
			if r.take(forever, false) && r.waiter.Load() != nil && r.alone() {
				break // from now on the receiver reads
			}
		}
		r.socket.bound(longest)
		r.release()
		if bell := r.waiter.Load(); bell != nil {
			bell.Wake()
		}
	}
	for !r.token.CompareAndSwap(false, true) { // the reading goroutine is about to return
		time.Sleep(time.Millisecond)
	}
	_ = r.socket.close()
}

// waitTurn waits for the thread's turn in the Go scheduler: a system call would keep the scheduler busy.
func (r *reader) waitTurn() {
	r.look.Reset(r.again)
	select {
	case <-r.look.C:
	case <-r.turn:
	case <-r.quit:
	}
}

// requestThread asks the thread to read.
func (r *reader) requestThread() {
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
	case r.over.Load(): // the peer has moved; its new path is about to be opened
		bell.Wait(time.Duration(min(uint64(timeout), uint64(time.Millisecond))))
	case !r.alone():
		if !r.token.Load() {
			r.requestThread()
		}
		bell.Wait(timeout)
	case r.token.CompareAndSwap(false, true):
		r.read(bell, timeout)
		r.release()
		if !r.alone() {
			r.requestThread()
		}
	default:
		r.waiter.Store(bell)
		bell.Wait(timeout)
		r.waiter.Store(nil)
	}
}

// read reads, holding the token, until the bell rings or the timeout ends.
func (r *reader) read(bell *rt.Wake, timeout time.Duration) {
	end := rt.Now() + int64(timeout)
	for left := timeout; !r.over.Load(); {
		if left < 0 || left > longest {
			left = longest
		}
		r.take(left, r.pinned)
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
		if bell := r.waiter.Load(); bell != nil {
			bell.Wake()
		}
	}
}
