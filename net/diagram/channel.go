package diagram

import (
	"encoding/binary"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Channel carries all that one thread has for another: for each output its count, the time at which it was written, and its
// value.
type Channel struct {
	From, To int // indices of the threads
	latest   *lockfree.Latest
	ports    []channelPort
	sum      uint64 // of the counts last published
}

type channelPort struct {
	src         *block.Port
	from, to    []byte // memory of the output and of its shadow
	count, seen *uint64
	time, came  *clock.Time
	at          int // offset in the packet: 8 bytes of count, 8 of time, then the value
	shadow      *block.Port
}

const (
	channelHeader = 8  // the time
	portHeader    = 16 // count and time
)

// add returns the shadow of an output in the receiving thread.
func (c *Channel) add(src *block.Port) *block.Port {
	for _, p := range c.ports {
		if p.src == src {
			return p.shadow
		}
	}
	shadow := src.Shadow()
	c.ports = append(c.ports, channelPort{
		src: src, shadow: shadow, from: src.Bytes(), to: shadow.Bytes(), count: src.Count(), seen: shadow.Count(),
		time: src.Written(), came: shadow.Written(),
	})
	return shadow
}

// open gives the channel its memory, when all ports are added.
func (c *Channel) open() {
	size := channelHeader
	for i := range c.ports {
		c.ports[i].at = size
		size += portHeader + (len(c.ports[i].from)+7)&^7
	}
	c.latest = lockfree.NewLatest(lockfree.Memory(lockfree.LatestSize(size)), size)
}

// Publish hands over what the outputs hold, if any was written since the last time.
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
		copy(packet[p.at+portHeader:], p.from)
	}
	c.latest.Publish()
}

// Fetch takes over the newest packet and returns the time at which it was published.
func (c *Channel) Fetch() (t clock.Time, fresh bool) {
	packet, fresh := c.latest.Fetch()
	if !fresh {
		return 0, false
	}
	for i := range c.ports {
		p := &c.ports[i]
		if n := binary.LittleEndian.Uint64(packet[p.at:]); n != *p.seen {
			*p.seen = n
			*p.came = clock.Time(binary.LittleEndian.Uint64(packet[p.at+8:]))
			copy(p.to, packet[p.at+portHeader:])
		}
	}
	return clock.Time(binary.LittleEndian.Uint64(packet)), true
}
