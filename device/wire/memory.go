package wire

import "sync/atomic"

// pipeBytes is how many bytes a memory channel holds in each direction.
const pipeBytes = 1 << 16

// Pipe returns the two ends of a channel in memory, for tests and for emulators in the same process. Each end may be used by a
// goroutine of its own. Closing an end is unplugging: the other end is lost until both are open.
func Pipe(name string) (driver, device Wire) { return PipeOf(name, Bytes) }

// PipeOf is [Pipe] for any kind. A datagram or frame for which there is no room is lost, as in a network.
func PipeOf(name string, kind Kind) (driver, device Wire) {
	p := new([2]ring)
	ends := [2]*pipeEnd{}
	open := new([2]atomic.Bool)
	for i := range ends {
		f := newFaults(name)
		ends[i] = &pipeEnd{name: name, whole: kind != Bytes, in: &p[i], out: &p[1-i], open: &open[i], other: &open[1-i], faults: f, fault: &f.closed}
	}
	return ends[0], ends[1]
}

// ring is a queue of bytes from one goroutine to another.
type ring struct {
	read, written atomic.Uint64 // counted from the beginning
	bytes         [pipeBytes]byte
}

// pipeEnd is one end of a channel in memory.
type pipeEnd struct {
	name        string
	in, out     *ring
	open, other *atomic.Bool
	whole       bool // datagrams and frames: each behind two bytes with its length
	joined      bool // both ends were open at the last call
	faults      *faults
	fault       *Fault
}

// String implements [Wire].
func (e *pipeEnd) String() string { return e.name }

// Open implements [Wire]. Bytes that have arrived before are dropped.
func (e *pipeEnd) Open() error {
	e.in.read.Store(e.in.written.Load())
	e.joined, e.fault = false, nil
	e.open.Store(true)
	return nil
}

// Close implements [Wire].
func (e *pipeEnd) Close() error {
	e.open.Store(false)
	e.fault = &e.faults.closed
	return nil
}

func (e *pipeEnd) ready() error {
	if e.fault != nil {
		return e.fault
	}
	switch other := e.other.Load(); {
	case other:
		e.joined = true
		return nil
	case e.joined:
		e.fault = &e.faults.ended
		e.open.Store(false)
		return e.fault
	}
	return &e.faults.opening
}

// Read implements [Wire].
func (e *pipeEnd) Read(p []byte) (n int, err error) {
	from, to := e.in.read.Load(), e.in.written.Load()
	if from == to || e.fault != nil {
		return 0, e.ready()
	}
	if e.whole {
		to = from + 2 + uint64(e.in.bytes[from%pipeBytes]) + uint64(e.in.bytes[(from+1)%pipeBytes])<<8
		defer e.in.read.Store(to)
		from += 2
	}
	for n < len(p) && from < to {
		p[n] = e.in.bytes[from%pipeBytes]
		n, from = n+1, from+1
	}
	if !e.whole {
		e.in.read.Store(from)
	}
	return n, nil
}

// Write implements [Wire].
func (e *pipeEnd) Write(p []byte) (n int, err error) {
	if err := e.ready(); err != nil {
		return 0, err
	}
	at, limit := e.out.written.Load(), e.out.read.Load()+pipeBytes
	if e.whole {
		if at+2+uint64(len(p)) > limit || len(p) > 1<<16-1 {
			return len(p), nil
		}
		e.out.bytes[at%pipeBytes], e.out.bytes[(at+1)%pipeBytes] = byte(len(p)), byte(len(p)>>8)
		at += 2
	}
	for n < len(p) && at < limit {
		e.out.bytes[at%pipeBytes] = p[n]
		n, at = n+1, at+1
	}
	e.out.written.Store(at)
	return n, nil
}
