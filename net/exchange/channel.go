package exchange

import (
	"encoding/binary"
	"math"
	"sync/atomic"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// Channel carries the outputs of one thread that another thread reads: for each output its count, the time at which it was
// written, and its value; and how far the other thread may read the queues of buffered links and events. Where both threads keep one
// time, a [Grid] decides what the receiving one takes; elsewhere it takes the newest.
type Channel struct {
	From, To int              // indices of the threads
	Grid     *Grid            // nil: the newest wins
	Links    []string         // that it serves, as they are written
	latest   *lockfree.Latest // without a grid
	history  *lockfree.History
	ports    []channelPort
	queues   []channelQueue
	sum      uint64 // of the counts last published
	shadows  map[*port.Port]*port.Port
	holds    uint64 // how often Hold was called

	done  atomic.Int64 // 1 + nominal time of the sender's last completed activation, where there is a grid; 0: none
	first clock.Time   // earlier activations of the sender are not expected: the threads had not begun
}

// channelQueue is a queue that the receiving thread may read up to where the sending one was in the activation that it takes.
type channelQueue struct {
	queue *lockfree.Queue
	at    int // offset in the packet: 8 bytes
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

// NewChannel returns the channel from one thread to another, by their common grid if they have one. Outputs and queues are added to
// it before it is opened.
func NewChannel(from, to int, grid *Grid) *Channel {
	return &Channel{From: from, To: to, Grid: grid, shadows: map[*port.Port]*port.Port{}}
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

// Limit makes the receiving thread read a queue only up to where the sending one was in the activation that the grid decides.
func (c *Channel) Limit(q *lockfree.Queue) {
	q.Limit(0)
	c.queues = append(c.queues, channelQueue{queue: q})
}

// ChannelSize returns the memory that a channel, with a grid or without, takes for an output of the given size in bytes, without the
// output's shadow.
func ChannelSize(value int, grid *Grid) int {
	size := value + portHeader + lengthBytes
	if grid != nil {
		return lockfree.HistorySize(size)
	}
	return lockfree.LatestSize(size)
}

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
	for i := range c.queues {
		c.queues[i].at = size
		size += lengthBytes
	}
	if c.Grid != nil {
		c.history = lockfree.NewHistory(size)
	} else {
		c.latest = lockfree.NewLatest(lockfree.Memory(lockfree.LatestSize(size)), size)
	}
}

// Begin sets the time at which the threads begin: the receiving one does not miss what the other would have published before. It is
// called before they run.
func (c *Channel) Begin(first clock.Time) { c.first = first }

// Publish publishes the values of all outputs if any of them was written since the last call. t is the nominal time of the activation
// that ends.
func (c *Channel) Publish(t clock.Time) {
	sum := uint64(0)
	for i := range c.ports {
		sum += *c.ports[i].count
	}
	for i := range c.queues {
		sum += c.queues[i].queue.Pushed()
	}
	if sum != c.sum {
		c.sum = sum
		c.fill(c.slot(), t)
		c.pass(t)
	}
	if c.Grid != nil {
		c.done.Store(int64(t) + 1)
	}
}

// slot returns the memory of the next packet.
func (c *Channel) slot() []byte {
	if c.Grid != nil {
		return c.history.Slot()
	}
	return c.latest.Slot()
}

// pass publishes the packet that was filled.
func (c *Channel) pass(t clock.Time) {
	if c.Grid != nil {
		c.history.Publish(c.Grid.number(t))
		return
	}
	c.latest.Publish()
}

// fill puts what the outputs hold into a packet.
func (c *Channel) fill(packet []byte, t clock.Time) {
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
	for i := range c.queues {
		q := &c.queues[i]
		binary.LittleEndian.PutUint64(packet[q.at:], q.queue.Pushed())
	}
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
	packet, any := c.slot(), false
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
	for i := range c.queues {
		q := &c.queues[i]
		binary.LittleEndian.PutUint64(packet[q.at:], q.queue.Pushed())
	}
	if any {
		c.pass(t)
	}
}

// Resume makes the next Publish publish the outputs' values even if they were not written since: the thread has taken over
// again after Hold.
func (c *Channel) Resume() { c.sum = ^c.sum }

// Fetch takes over the packet that the receiving thread's activation at t reads: that of the grid, or the newest. fresh reports
// whether it was not taken before; late, on a grid, that the sender's activation has not ended, or that the reader is so late itself that
// the packet may be gone: then what an earlier activation wrote stays.
func (c *Channel) Fetch(t clock.Time) (fresh, late bool) {
	var packet []byte
	if c.Grid == nil {
		packet, fresh = c.latest.Fetch()
	} else {
		number := c.Grid.wanted(t)
		late = c.missing(t) || number >= 0 && c.history.Passed(number)
		packet, fresh = c.history.Fetch(number)
	}
	if fresh {
		c.take(packet)
	}
	return fresh, late
}

// missing reports whether the sender's activation that the reader's at t takes should have ended, but has not.
func (c *Channel) missing(t clock.Time) bool {
	source := c.Grid.Source(t)
	return source >= c.first && c.done.Load() <= int64(source)
}

// Waits reports whether the receiving thread's activation at t must wait: the link is direct, and the sender's activation has not
// ended.
func (c *Channel) Waits(t clock.Time) bool { return c.Grid != nil && c.Grid.Direct && c.missing(t) }

// take puts a packet into the shadows.
func (c *Channel) take(packet []byte) {
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
	for i := range c.queues {
		q := &c.queues[i]
		q.queue.Limit(binary.LittleEndian.Uint64(packet[q.at:]))
	}
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
