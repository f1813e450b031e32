package exchange

import (
	"reflect"
	"time"
	"unsafe"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/schema"
)

// LeaderTick is what a thread sends to the threads that follow it in other processes, at the start of each activation.
type LeaderTick struct {
	Time int64 // nominal time of the activation, ns
	Late int64 // from then until the tick was sent, ns
}

// TickSpec describes the link with the ticks of a thread in a process.
func TickSpec(name, process string) Spec {
	t, err := schema.Of(reflect.TypeFor[LeaderTick]())
	if err != nil {
		panic("exchange: " + err.Error()) // it is plain data
	}
	return Spec{Name: name, Type: t, Size: t.Layout().Size(), From: process}
}

// TickSender sends the ticks of a thread.
type TickSender struct {
	Outlet
	layout *schema.Layout
	tick   LeaderTick
}

// NewTickSender returns the sender of a link that [TickSpec] describes.
func NewTickSender(spec Spec) *TickSender {
	return &TickSender{Outlet: Outlet{Spec: spec, packet: make([]byte, spec.Size)}, layout: spec.Type.Layout()}
}

// Tick sends the time t of the activation that has begun, and by how much it was late.
func (s *TickSender) Tick(t clock.Time, late time.Duration) {
	if s.sender == nil {
		return
	}
	s.tick = LeaderTick{int64(t), int64(late)}
	s.layout.Encode(s.packet, unsafe.Pointer(&s.tick))
	s.send(s.packet, 0)
}

// Leader receives the ticks of a thread in another process, which the time of this process follows.
type Leader struct {
	Inlet
	Leading  string        // the thread
	Period   time.Duration // of that thread
	Shortest time.Duration // period in this process
	Grid     time.Duration // common multiple of the periods of that thread and of those that follow it here
	layout   *schema.Layout
	tick     LeaderTick
}

// NewLeader returns the receiver, in a process, of a link that [TickSpec] describes. The thread of index thread keeps the time.
func NewLeader(spec Spec, process string, thread int) *Leader {
	return &Leader{Inlet: *NewInlet(spec, process, thread, nil, nil), layout: spec.Type.Layout()}
}

// Tick returns the newest tick and how long ago it was sent, if there is a new one.
func (l *Leader) Tick() (tick LeaderTick, age time.Duration, ok bool) {
	stamp, ok := l.receive()
	if !ok || l.layout.Decode(unsafe.Pointer(&l.tick), l.packet) != nil {
		return LeaderTick{}, 0, false
	}
	return l.tick, stamp.Age, true
}
