package thread

import (
	"encoding/binary"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// linkPeriod is how often the core tells the front about its links to other processes.
const linkPeriod = 200 * time.Millisecond

// MaxProblem is how many bytes of what is wrong with a link reach the front.
const MaxProblem = 160

// LinkStats is what an end in this process knows of a link to or from another one.
type LinkStats struct {
	diagram.WireState
	Name     string // of the wire: its source, block.port
	From, To string // processes; several receivers are told with commas between them
	Outgoing bool   // this end sends
}

// linkCell is one end in the memory of the boundary. The core's reporter writes it, the front reads it; the number is odd
// while it changes.
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
	linkAge
	linkLength // of the problem's text, in bytes
	linkProblem
	linkWords = linkProblem + MaxProblem/8
)

func (c *linkCell) write(s diagram.WireState, now int64) {
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
	put(linkAge, uint64(s.Age))
	var text [MaxProblem]byte
	put(linkLength, uint64(copy(text[:], s.Problem)))
	for i := range MaxProblem / 8 {
		put(linkProblem+i, binary.LittleEndian.Uint64(text[8*i:]))
	}
	c.number.Add(1)
}

// linkTries bounds how often the front reads a cell that changes meanwhile: a core that was killed leaves its number odd.
const linkTries = 100

// read returns what the core has told, with the age as it is now; the zero state where it has told nothing.
func (c *linkCell) read(now int64) (s diagram.WireState) {
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
	if w[linkReported] == 0 {
		return s
	}
	s = diagram.WireState{Connected: w[linkConnected] == 1, Packets: w[linkPackets], Lost: w[linkLost], Stale: w[linkStale],
		Rejected: w[linkRejected], Age: time.Duration(w[linkAge])}
	if s.Age > 0 {
		s.Age += time.Duration(max(now-int64(w[linkReported]), 0))
	}
	var text [MaxProblem]byte
	for i := range MaxProblem / 8 {
		binary.LittleEndian.PutUint64(text[8*i:], w[linkProblem+i])
	}
	s.Problem = strings.ToValidUTF8(string(text[:min(w[linkLength], MaxProblem)]), "")
	return s
}

// reportLinks tells the front about the links to and from other processes until ended is closed.
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
		select {
		case <-ticker.C:
		case <-ended:
			return
		}
	}
}

// Links returns the ends here of all links to and from other processes: what this process sends, then what it receives.
// It is at most 0.2 s old, the ages apart.
func (f *Front) Links() []LinkStats {
	var list []LinkStats
	now, cells := rt.Now(), f.boundary.links
	for i, o := range f.net.Outlets {
		list = append(list, LinkStats{cells[i].read(now), o.Name, o.From, strings.Join(o.To, ", "), true})
	}
	for i, in := range f.net.Inlets {
		list = append(list, LinkStats{cells[len(f.net.Outlets)+i].read(now), in.Name, in.From, in.To, false})
	}
	return list
}
