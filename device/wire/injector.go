package wire

import (
	"math/rand/v2"
	"sync/atomic"
	"syscall"
	"time"
)

// Faults are what an [Injector] does to what passes it. The zero value does nothing.
type Faults struct {
	Lose   float64       // probability that a byte is lost, or a datagram or frame: 0 to 1
	Change float64       // probability that a bit of a byte is changed: 0 to 1
	Late   time.Duration // by which what is received is delayed; at least 0
	Seed   uint64        // of the random numbers
}

// lateBytes and lateParts limit what an injector holds back; more stays in the channel behind it.
const (
	lateBytes = 1 << 18
	lateParts = 1 << 12
)

// Injector is a channel with faults, for tests of drivers. [Injector.Unplug] and [Injector.Plug] may be called by any goroutine.
type Injector struct {
	wire      Wire
	kind      Kind
	faults    Faults
	random    *rand.PCG
	unplugged atomic.Bool
	errors    *faults

	out     []byte
	held    [lateBytes]byte
	parts   [lateParts]part // a ring
	first   int
	waiting int
	used    int // bytes of held, from its begin
}

// part is a piece of what is held back.
type part struct {
	due      time.Time
	from, to int
}

// NewInjector returns a channel that moves to and from w what the faults leave.
func NewInjector(w Wire, kind Kind, f Faults) *Injector {
	return &Injector{wire: w, kind: kind, faults: f, random: rand.NewPCG(f.Seed, 0), errors: newFaults(w.String()), out: make([]byte, lateBytes)}
}

// Unplug cuts the channel: it is lost, and opening it fails.
func (i *Injector) Unplug() { i.unplugged.Store(true) }

// Plug undoes [Injector.Unplug].
func (i *Injector) Plug() { i.unplugged.Store(false) }

// Open implements [Wire].
func (i *Injector) Open() error {
	i.first, i.waiting, i.used = 0, 0, 0
	if i.unplugged.Load() {
		return i.errors.lost(syscall.ENOENT)
	}
	return i.wire.Open()
}

// Close implements [Wire].
func (i *Injector) Close() error { return i.wire.Close() }

// String returns the address of the channel that it disturbs.
func (i *Injector) String() string { return i.wire.String() }

// cut closes the channel while it is unplugged.
func (i *Injector) cut() error {
	if !i.unplugged.Load() {
		return nil
	}
	_ = i.wire.Close()
	return i.errors.lost(syscall.EIO)
}

// Read implements [Wire].
func (i *Injector) Read(p []byte) (int, error) {
	if err := i.cut(); err != nil {
		return 0, err
	}
	if i.faults.Late <= 0 {
		n, err := i.wire.Read(p)
		return i.spoil(p[:n]), err
	}
	if err := i.hold(); err != nil {
		return 0, err
	}
	if i.waiting == 0 || time.Now().Before(i.parts[i.first].due) {
		return 0, nil
	}
	x := &i.parts[i.first]
	n := copy(p, i.held[x.from:x.to])
	if x.from += n; x.from == x.to || i.kind != Bytes {
		i.first, i.waiting = (i.first+1)%lateParts, i.waiting-1
	}
	if i.waiting == 0 {
		i.used = 0
	}
	return n, nil
}

// hold takes what has arrived.
func (i *Injector) hold() error {
	for i.waiting < lateParts && i.used < lateBytes {
		room := i.held[i.used:]
		n, err := i.wire.Read(room)
		if n == 0 {
			return err
		}
		if n = i.spoil(room[:n]); n > 0 {
			i.parts[(i.first+i.waiting)%lateParts] = part{time.Now().Add(i.faults.Late), i.used, i.used + n}
			i.used, i.waiting = i.used+n, i.waiting+1
		}
	}
	return nil
}

// Write implements [Wire].
func (i *Injector) Write(p []byte) (int, error) {
	if err := i.cut(); err != nil {
		return 0, err
	}
	if i.faults.Lose <= 0 && i.faults.Change <= 0 {
		return i.wire.Write(p)
	}
	b := i.out[:copy(i.out, p)]
	sent := len(b)
	b = b[:i.spoil(b)]
	if len(b) == 0 {
		return sent, nil
	}
	n, err := i.wire.Write(b)
	if err != nil || n == 0 {
		return 0, err
	}
	return sent, nil // of bytes the rest is lost, as on a line whose receiver is too slow
}

// spoil changes and removes bytes as the faults say, and returns how much remains.
func (i *Injector) spoil(p []byte) int {
	if i.faults.Lose <= 0 && i.faults.Change <= 0 || len(p) == 0 {
		return len(p)
	}
	if i.kind != Bytes && i.happens(i.faults.Lose) {
		return 0
	}
	n := 0
	for _, x := range p {
		if i.kind == Bytes && i.happens(i.faults.Lose) {
			continue
		}
		if i.happens(i.faults.Change) {
			x ^= 1 << (i.random.Uint64() & 7)
		}
		p[n], n = x, n+1
	}
	return n
}

func (i *Injector) happens(probability float64) bool {
	return probability > 0 && float64(i.random.Uint64()>>11)*0x1p-53 < probability
}
