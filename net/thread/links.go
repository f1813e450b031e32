package thread

import (
	"encoding/binary"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

const (
	linkPeriod  = 200 * time.Millisecond // how often the core reports its links to other processes to the front
	linkSilence = 2 * linkPeriod         // a core that has not reported for longer has stopped reporting
)

// MaxProblem is the maximum length, in bytes, of the problem of a link that reaches the front; longer texts are cut.
const MaxProblem = 160

// linkCell holds the state of one end in the memory of the boundary; its name and processes are in the plan of the net. The
// core's reporter writes it, the front reads it; the number is odd while it changes.
type linkCell struct {
	number atomic.Uint64
	words  [linkWords]atomic.Uint64
}

// The words of a cell.
const (
	linkReported = iota // when, on the machine's clock, ns; 0: never
	linkConnected
	linkPackets
	linkLost
	linkStale
	linkRejected
	linkLate
	linkClipped
	linkAge    // s, the bits of a float64
	linkLength // of the problem's text, in bytes
	linkProblem
	linkWords = linkProblem + MaxProblem/8
)

func (c *linkCell) write(s link.State, now int64) {
	c.number.Add(1)
	put := func(i int, x uint64) { c.words[i].Store(x) }
	put(linkReported, uint64(now))
	put(linkConnected, 0)
	if s.Connected {
		put(linkConnected, 1)
	}
	put(linkPackets, s.Packets)
	put(linkLost, s.Lost)
	put(linkStale, s.Stale)
	put(linkRejected, s.Rejected)
	put(linkLate, s.Late)
	put(linkClipped, s.Clipped)
	put(linkAge, math.Float64bits(s.Age))
	var text [MaxProblem]byte
	put(linkLength, uint64(copy(text[:], s.Problem)))
	for i := range MaxProblem / 8 {
		put(linkProblem+i, binary.LittleEndian.Uint64(text[8*i:]))
	}
	c.number.Add(1)
}

// linkTries bounds how often the front reads a cell that changes meanwhile: a core that was killed leaves its number odd.
const linkTries = 100

// read puts what the core has reported into s; zeros where it has reported nothing. The age is that of the newest packet when the
// core reported it. If the core has stopped reporting, the time since its last report is added.
func (c *linkCell) read(s *link.State, now int64) {
	var w [linkWords]uint64
	for range linkTries {
		number := c.number.Load()
		for i := range w {
			w[i] = c.words[i].Load()
		}
		if number%2 == 0 && number == c.number.Load() {
			break
		}
	}
	s.Connected, s.Packets, s.Lost, s.Stale = w[linkConnected] == 1, w[linkPackets], w[linkLost], w[linkStale]
	s.Rejected, s.Late, s.Clipped, s.Age = w[linkRejected], w[linkLate], w[linkClipped], math.Float64frombits(w[linkAge])
	if silent := time.Duration(now - int64(w[linkReported])); s.Age > 0 && silent > linkSilence {
		s.Age += silent.Seconds()
	}
	var text [MaxProblem]byte
	for i := range MaxProblem / 8 {
		binary.LittleEndian.PutUint64(text[8*i:], w[linkProblem+i])
	}
	s.Problem = strings.ToValidUTF8(string(text[:min(w[linkLength], MaxProblem)]), "")
}

// reportLinks writes the states of the links that Links returns into the boundary until ended is closed.
func (c *Core) reportLinks(ended <-chan struct{}) {
	cells := c.boundary.links
	if len(cells) == 0 {
		return
	}
	ticker := time.NewTicker(linkPeriod)
	defer ticker.Stop()
	for {
		now := rt.Now()
		for i, o := range c.net.Outlets {
			cells[i].write(o.State(), now)
		}
		for i, in := range c.net.Inlets {
			cells[len(c.net.Outlets)+i].write(in.State(), now)
		}
		for i, r := range c.net.Recodings {
			cells[len(c.net.Outlets)+len(c.net.Inlets)+i].write(r.State(), now)
		}
		select {
		case <-ticker.C:
		case <-ended:
			return
		}
	}
}

// Links returns the states of this process's ends of all links to and from other processes, sending ends first, then those of encoded links within it. A running core
// reports them every 0.2 s, with the ages that it finds then.
func (f *Front) Links() []link.State {
	list := make([]link.State, 0, len(f.boundary.links))
	for _, o := range f.net.Outlets {
		list = append(list, o.State())
	}
	for _, in := range f.net.Inlets {
		list = append(list, in.State())
	}
	for _, r := range f.net.Recodings {
		list = append(list, r.State())
	}
	now := rt.Now()
	for i := range list {
		f.boundary.links[i].read(&list[i], now)
	}
	return list
}
