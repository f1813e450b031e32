package exchange

import (
	"encoding/binary"
	"math"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// Channel carries the outputs of one thread that another thread reads: for each output its count, the time at which it was
// written, and its value.
type Channel struct {
	From, To int // indices of the threads
	latest   *lockfree.Latest
	ports    []channelPort
	sum      uint64 // of the counts last published
	shadows  map[*port.Port]*port.Port
	holds    uint64 // how often Hold was called
}

type channelPort struct {
	src         *port.Port
	from, to    []byte // memory of the output and of its shadow
	n, got      *int   // of a bounded output and its shadow: how many elements lie there; else nil
	element     int    // bytes of one
	count, seen *uint64
	time, came  *clock.Time
	at          int // offset in the packet: 8 bytes of count, 8 of time, of a bounded output 8 with its elements, then the value
	shadow      *port.Port
	safe        []byte // the declared safe value; nil: none
}

const (
	channelHeader = 8  // the time
	portHeader    = 16 // count and time
	lengthBytes   = 8  // of the elements of a bounded output

	unchanged = math.MaxUint64 // count of a port that a packet leaves unchanged
	heldCount = 1 << 62        // from here on the counts of safe values that Hold publishes: no output is written as often
)

// NewChannel returns the channel from one thread to another. Outputs are added to it before it is opened.
func NewChannel(from, to int) *Channel {
	return &Channel{From: from, To: to, shadows: map[*port.Port]*port.Port{}}
}

// Add adds an output to the channel and returns its shadow in the receiving thread.
func (c *Channel) Add(src *port.Port) *port.Port {
	if shadow := c.shadows[src]; shadow != nil {
		return shadow
	}
	shadow := src.Shadow()
	c.shadows[src] = shadow
	p := channelPort{
		src: src, shadow: shadow, from: src.Bytes(), to: shadow.Bytes(), count: src.Count(), seen: shadow.Count(),
		time: src.Written(), came: shadow.Written(), n: src.Length(), got: shadow.Length(),
	}
	if p.n != nil {
		p.element = src.ElementBytes()
	}
	if safe := src.SafeOutput(); safe != nil {
		p.safe = safe.Present()
	}
	c.ports = append(c.ports, p)
	return shadow
}

// ChannelSize returns the memory that a channel takes for an output of the given size in bytes, without the output's shadow.
func ChannelSize(value int) int { return lockfree.LatestSize(value + portHeader + lengthBytes) }

// Open allocates the channel's memory. All outputs must have been added.
func (c *Channel) Open() {
	size := channelHeader
	for i := range c.ports {
		c.ports[i].at = size
		size += portHeader + (len(c.ports[i].from)+7)&^7
		if c.ports[i].n != nil {
			size += lengthBytes
		}
	}
	c.latest = lockfree.NewLatest(lockfree.Memory(lockfree.LatestSize(size)), size)
}

// Publish publishes the values of all outputs if any of them was written since the last call.
func (c *Channel) Publish(t clock.Time) {
	sum := uint64(0)
	for i := range c.ports {
		sum += *c.ports[i].count
	}
	if sum == c.sum {
		return
	}
	c.sum = sum
	packet := c.latest.Slot()
	binary.LittleEndian.PutUint64(packet, uint64(t))
	for i := range c.ports {
		p := &c.ports[i]
		binary.LittleEndian.PutUint64(packet[p.at:], *p.count)
		binary.LittleEndian.PutUint64(packet[p.at+8:], uint64(*p.time))
		if p.n == nil {
			copy(packet[p.at+portHeader:], p.from)
		} else {
			p.put(packet, p.from[:*p.n*p.element])
		}
	}
	c.latest.Publish()
}

// put puts a value into the packet.
func (p *channelPort) put(packet, value []byte) {
	if packet = packet[p.at+portHeader:]; p.n != nil {
		binary.LittleEndian.PutUint64(packet, uint64(len(value)/max(p.element, 1)))
		packet = packet[lengthBytes:]
	}
	copy(packet, value)
}

// take takes the value of a bounded output out of the packet.
func (p *channelPort) take(packet []byte) {
	packet = packet[p.at+portHeader:]
	*p.got = int(binary.LittleEndian.Uint64(packet))
	copy(p.to[:*p.got*p.element], packet[lengthBytes:])
}

// Hold publishes the declared safe values instead of the outputs' values. The watchdog calls it after taking over from a hung
// thread; it reads no memory that the thread may write. Outputs without a safe value keep their last one.
func (c *Channel) Hold(t clock.Time) {
	c.holds++
	packet, any := c.latest.Slot(), false
	binary.LittleEndian.PutUint64(packet, uint64(t))
	for i := range c.ports {
		p := &c.ports[i]
		if p.safe == nil {
			binary.LittleEndian.PutUint64(packet[p.at:], unchanged)
			continue
		}
		any = true
		binary.LittleEndian.PutUint64(packet[p.at:], heldCount+c.holds)
		binary.LittleEndian.PutUint64(packet[p.at+8:], uint64(t))
		p.put(packet, p.safe)
	}
	if any {
		c.latest.Publish()
	}
}

// Resume makes the next Publish publish the outputs' values even if they were not written since: the thread has taken over
// again after Hold.
func (c *Channel) Resume() { c.sum = ^c.sum }

// Fetch takes over the newest packet and returns the time at which it was published.
func (c *Channel) Fetch() (t clock.Time, fresh bool) {
	packet, fresh := c.latest.Fetch()
	if !fresh {
		return 0, false
	}
	for i := range c.ports {
		p := &c.ports[i]
		if n := binary.LittleEndian.Uint64(packet[p.at:]); n != *p.seen && n != unchanged {
			*p.seen = n
			*p.came = clock.Time(binary.LittleEndian.Uint64(packet[p.at+8:]))
			if p.n == nil {
				copy(p.to, packet[p.at+portHeader:])
			} else {
				p.take(packet)
			}
		}
	}
	return clock.Time(binary.LittleEndian.Uint64(packet)), true
}

// WithoutSafe returns the outputs, as block.port, whose last value the receiving thread keeps while the sending one hangs: they
// declare no safe value.
func (c *Channel) WithoutSafe() (refs []string) {
	for i := range c.ports {
		if c.ports[i].safe == nil {
			refs = append(refs, c.ports[i].src.Ref())
		}
	}
	return refs
}
