package exchange

import (
	"encoding/binary"

	"github.com/sinew-robotics/sinew/net/clock"
)

// trailer is the end of a packet of a ticked link. Times are those of the thread that leads both processes.
type trailer struct {
	tick    clock.Time // nominal time of the activation that has sent it; noTick: its process does not keep the leader's time
	written clock.Time // when the value was written
	number  uint64     // of the value, from 1 on: what is missing was lost on its way. A direct link repeats one that was not written again
}

const trailerSize = 24

// noTick stands for the tick of a process that does not keep the leader's time. Its packets are taken when they come.
const noTick clock.Time = -1

// trailerText ends the description of the packets of a ticked link.
const trailerText = "# then the tick (-1: none), the time of writing and the number, int64 each\n"

func (t trailer) put(b []byte) {
	binary.LittleEndian.PutUint64(b, uint64(t.tick))
	binary.LittleEndian.PutUint64(b[8:], uint64(t.written))
	binary.LittleEndian.PutUint64(b[16:], t.number)
}

// split returns the value in a packet of a ticked link, and its trailer.
func split(packet []byte) (value []byte, t trailer, ok bool) {
	at := len(packet) - trailerSize
	if at < 0 {
		return nil, trailer{}, false
	}
	b := packet[at:]
	return packet[:at], trailer{
		tick: clock.Time(binary.LittleEndian.Uint64(b)), written: clock.Time(binary.LittleEndian.Uint64(b[8:])), number: binary.LittleEndian.Uint64(b[16:]),
	}, true
}
