package thread

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/exchange"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/port"
)

const mostPoints = 5

type point struct{ X, Y float32 }

// scanner writes values of n elements, where n counts from 0 to its most and begins again.
type scanner struct {
	Points  block.Out[[]point] `safe:"[]"`
	tooLong int                // step at which the value is too long; 0: none
	inPlace bool
	n       int
	steps   int
	made    []point
}

func (s *scanner) Setup(u *block.Setup) error {
	u.MaxLen(mostPoints, &s.Points)
	s.made = make([]point, mostPoints+1)
	return nil
}

func (s *scanner) Step(clock.Tick) error {
	s.steps++
	n := s.n % (mostPoints + 1)
	s.n++
	if s.steps == s.tooLong {
		n = mostPoints + 1
	}
	for i := range s.made[:n] {
		s.made[i] = point{float32(n), float32(i)}
	}
	if s.inPlace {
		slot := s.Points.Slot()
		*slot = append((*slot)[:0], s.made[:n]...)
		s.Points.Commit()
	} else {
		s.Points.Write(s.made[:n])
	}
	return nil
}

// mapper keeps the lengths of what it reads, and checks the contents.
type mapper struct {
	Points  block.In[[]point]
	most    int
	lengths []int
	wrong   int
	at      unsafe.Pointer
}

func (m *mapper) Setup(u *block.Setup) error {
	u.MaxLen(m.most, &m.Points)
	m.lengths = make([]int, 0, 1000)
	return nil
}

func (m *mapper) Step(clock.Tick) error {
	for {
		v, status := m.Points.Read()
		if status != block.NewData {
			return nil
		}
		m.at = unsafe.Pointer(unsafe.SliceData(v))
		if len(m.lengths) < cap(m.lengths) {
			m.lengths = append(m.lengths, len(v))
		}
		for i, p := range v {
			if p != (point{float32(len(v)), float32(i)}) {
				m.wrong++
			}
		}
	}
}

// boundedNet is a scanner in the thread fast, and a mapper in another or the same, behind a link.
func boundedNet(t *testing.T, s *scanner, m *mapper, reader string, l diagram.Link) *Core {
	t.Helper()
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "fast", Period: time.Millisecond, Priority: 50})
	d.Thread(diagram.Thread{Name: "other", Period: time.Millisecond, Priority: 40})
	d.Add("s", s, diagram.Place{Thread: "fast"})
	d.Add("m", m, diagram.Place{Thread: reader})
	l.From, l.To = diagram.End{Block: "s", Port: "points"}, diagram.End{Block: "m", Port: "points"}
	d.Join(l)
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	return New(net, Options{Until: clock.At(30 * time.Millisecond)})
}

func TestValuesKeepTheirLengthsOverEveryKindOfLink(t *testing.T) {
	for name, c := range map[string]struct {
		reader string
		link   diagram.Link
		most   int
		want   []int // the first lengths
	}{
		"same thread":         {"fast", diagram.Link{}, 0, []int{0, 1, 2, 3, 4, 5, 0, 1}},
		"more room":           {"fast", diagram.Link{}, 9, []int{0, 1, 2, 3, 4, 5, 0, 1}},
		"other thread":        {"other", diagram.Link{}, 0, []int{0, 1, 2, 3, 4, 5, 0, 1}},
		"buffered":            {"fast", diagram.Link{Buffer: 3}, 0, []int{0, 1, 2, 3, 4, 5, 0, 1}},
		"buffered, more room": {"other", diagram.Link{Buffer: 3}, 7, []int{0, 1, 2, 3, 4, 5, 0, 1}},
		"every second":        {"fast", diagram.Link{Every: 2}, 0, []int{0, 2, 4, 0, 2, 4}},
		"every, other thread": {"other", diagram.Link{Every: 5}, 0, []int{0, 5, 4, 3}},
		"delayed":             {"fast", diagram.Link{Delay: true}, 0, []int{0, 1, 2, 3, 4, 5, 0, 1}},
	} {
		for _, inPlace := range []bool{false, true} {
			s, m := &scanner{inPlace: inPlace}, &mapper{most: c.most}
			core := boundedNet(t, s, m, c.reader, c.link)
			if err := core.RunVirtual(context.Background()); err != nil {
				t.Fatal(err)
			}
			if len(m.lengths) < len(c.want) || !slices.Equal(m.lengths[:len(c.want)], c.want) || m.wrong > 0 {
				t.Errorf("%s: lengths %v with %d wrong elements, want %v …", name, m.lengths, m.wrong, c.want)
			}
			if name == "same thread" && m.at != unsafe.Pointer(unsafe.SliceData((*s.Points.Slot())[:1])) {
				t.Error("a value was copied within its thread")
			}
		}
	}
}

func TestTooLongValuePutsItsBlockInError(t *testing.T) {
	for _, inPlace := range []bool{false, true} {
		s, m := &scanner{tooLong: 8, inPlace: inPlace}, &mapper{}
		core := boundedNet(t, s, m, "other", diagram.Link{})
		if err := core.RunVirtual(context.Background()); err == nil {
			t.Error("the run reports no error")
		}
		faults := core.Front().Faults()
		const want = "output s.points takes at most 5 elements (Setup.MaxLen), but the block wrote 6"
		if len(faults) != 1 || faults[0].Block != "s" || faults[0].Why != want {
			t.Errorf("in place %v: the faults are %+v, want %q", inPlace, faults, want)
		}
		if want := []int{0, 1, 2, 3, 4, 5, 0, 0}; !slices.Equal(m.lengths, want) || m.wrong > 0 { // the last one is the safe value
			t.Errorf("in place %v: the reader saw %v, want %v", inPlace, m.lengths, want)
		}
	}
}

func TestStepsWithValuesOfAnyLengthAllocateNothing(t *testing.T) {
	s, m := &scanner{}, &mapper{}
	core := boundedNet(t, s, m, "other", diagram.Link{})
	now := clock.Time(0)
	testkit.NoAllocs(t, 1000, func() {
		for _, th := range core.threads {
			th.activate(now)
		}
		now = now.Add(time.Millisecond)
	})
	long := &block.LengthError{}
	testkit.NoAllocs(t, 1000, func() {
		defer func() { long, _ = recover().(*block.LengthError) }()
		s.Points.Write(s.made[:mostPoints+1])
	})
	if long == nil || !strings.Contains(long.Error(), "s.points") {
		t.Errorf("a value that is too long gave %v", long)
	}
}

func TestValuesOfAnyLengthAreFedReadAndTapped(t *testing.T) {
	s, m := &scanner{}, &mapper{}
	core := boundedNet(t, s, m, "fast", diagram.Link{})
	front, in, out := core.Front(), inspect.PortOf(&m.Points), inspect.PortOf(&s.Points)
	one := []any{map[string]any{"x": 1, "y": 0}}
	read := func(p *port.Port, r *Request) any {
		cdr, err := r.Result()
		if err != nil {
			t.Fatal(err)
		}
		v, err := p.Type.Value(cdr[readHead:])
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	var sizes []int
	if _, err := front.Tap(out, 1, true, func(s Sample) { sizes = append(sizes, len(s.CDR)) }); err != nil {
		t.Fatal(err)
	}
	var reads [3]*Request
	at(t, core, map[int]func() *Request{
		10: func() *Request { return front.Feed(in, cdrOf(in, one)) },
		15: func() *Request { reads[0] = front.Read(in); return reads[0] },
		16: func() *Request { return front.Release(in) },
		17: func() *Request { return front.Feed(out, cdrOf(out, []any{})) },
		19: func() *Request { reads[1] = front.Read(out); return reads[1] },
		20: func() *Request { return front.Release(out) },
		24: func() *Request { reads[2] = front.Read(in); return reads[2] },
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	if v := read(in, reads[0]).([]any); len(v) != 1 {
		t.Errorf("the fed input reads %v", v)
	}
	if v := read(out, reads[1]).([]any); len(v) != 0 {
		t.Errorf("the fed output reads %v", v)
	}
	if v := read(in, reads[2]).([]any); len(v) == 0 || m.wrong > 0 {
		t.Errorf("the released input reads %v, %d elements were wrong", v, m.wrong)
	}
	for i, want := range []int{8, 16, 24, 32, 40, 48, 8, 16} {
		if len(sizes) < 8 || sizes[i] != want {
			t.Fatalf("the tap got values of %v bytes", sizes)
		}
	}
	if _, err := in.Layout().FromValue(slices.Repeat(one, mostPoints+1)); err == nil || !strings.Contains(err.Error(), "at most 5 elements") {
		t.Errorf("six points were taken for five: %v", err)
	}
}

// A sample of a large port fits into the rings of its thread.
func TestRingsFollowTheLargestPort(t *testing.T) {
	c := &camera{}
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "t", Period: time.Millisecond})
	d.Add("c", c, diagram.Place{Thread: "t"})
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	core := New(net, Options{Until: clock.At(20 * time.Millisecond)})
	p, samples, largest := inspect.PortOf(&c.Image), 0, 0
	if _, err := core.Front().Tap(p, 1, true, func(s Sample) { samples, largest = samples+1, max(largest, len(s.CDR)) }); err != nil {
		t.Fatal(err)
	}
	var read *Request
	at(t, core, map[int]func() *Request{
		5: func() *Request { read = core.Front().Read(p); return read },
		6: func() *Request { return core.Front().Feed(p, cdrOf(p, make([]byte, imageBytes))) },
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	cdr, err := read.Result()
	if err != nil || len(cdr) != readHead+8+imageBytes || largest != 8+imageBytes || samples < 10 {
		t.Errorf("read %d bytes (%v), %d samples of up to %d bytes", len(cdr), err, samples, largest)
	}
}

const imageBytes = 6 << 20

// camera writes an image of 6 MB.
type camera struct{ Image block.Out[[]uint8] }

func (c *camera) Setup(s *block.Setup) error {
	s.MaxLen(imageBytes, &c.Image)
	return nil
}

func (c *camera) Step(clock.Tick) error {
	image := c.Image.Slot()
	*image = (*image)[:imageBytes]
	c.Image.Commit()
	return nil
}

// pipe carries packets from an outlet to an inlet, as a transport does.
type pipe struct {
	packet []byte
	full   bool
	sizes  []int
}

func (p *pipe) Forward(packet []byte, _ time.Duration) error {
	p.packet, p.full, p.sizes = slices.Clone(packet), true, append(p.sizes, len(packet))
	return nil
}

func (p *pipe) TryReceive(packet []byte) (link.Stamp, bool) {
	full := p.full
	p.full = false
	return link.Stamp{Size: copy(packet, p.packet)}, full
}

func (p *pipe) State() link.State { return link.State{} }

// inPlace is a pipe whose packets are written and read where they lie. Where torn is set, that memory is damaged meanwhile.
type inPlace struct {
	pipe
	torn bool
}

func (p *inPlace) Fill(size int, age time.Duration, fill func([]byte)) error {
	packet := make([]byte, size)
	fill(packet)
	return p.Forward(packet, age)
}

func (p *inPlace) Take(use func([]byte)) (link.Stamp, bool) {
	if !p.full {
		return link.Stamp{}, false
	}
	use(p.packet)
	p.full = false
	return link.Stamp{Size: len(p.packet)}, !p.torn
}

// Between two processes a value takes the bytes that it needs, and a packet that is no value is counted.
func TestPacketsBetweenProcessesHaveTheLengthsOfTheirValues(t *testing.T) {
	copied, direct := &pipe{}, &inPlace{}
	packetsBetween(t, copied, copied, copied)
	m, step := packetsBetween(t, &direct.pipe, direct, direct)
	direct.torn = true
	for range 3 {
		if step(); len(m.lengths) != 8 || len(m.Points.Value()) != 0 {
			t.Errorf("a torn packet was read: %v", m.Points.Value())
		}
	}
}

// packetsBetween carries values from one process to another through p, whose ends are given. It returns the reader, and what
// executes both processes once more.
func packetsBetween(t *testing.T, p *pipe, tx exchange.Sender, rx exchange.Receiver) (m *mapper, step func()) {
	t.Helper()
	s := &scanner{}
	m = &mapper{}
	build := func(process string, s *scanner, m *mapper) *Core {
		d := diagram.New("test")
		d.Process(process)
		d.Thread(diagram.Thread{Name: "fast", Period: time.Millisecond, Process: "a"})
		d.Thread(diagram.Thread{Name: "other", Period: time.Millisecond, Process: "b"})
		d.Add("s", s, diagram.Place{Thread: "fast"})
		d.Add("m", m, diagram.Place{Thread: "other"})
		d.Link("s.points -> m.points")
		net, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range net.Outlets {
			if spec := o.Link(); !spec.Varies || spec.Size != 8+8*mostPoints || !strings.Contains(spec.Schema, "[<=5] data") {
				t.Errorf("the link has the spec %+v", spec)
			}
			o.Bind(tx)
		}
		for _, i := range net.Inlets {
			i.Bind(rx)
		}
		return New(net, Options{Until: clock.At(30 * time.Millisecond)})
	}
	a, b := build("a", s, &mapper{}), build("b", &scanner{}, m)
	for k := range 8 {
		now := clock.At(time.Duration(k) * time.Millisecond)
		a.threads[0].activate(now)
		b.threads[0].activate(now)
	}
	if want := []int{8, 16, 24, 32, 40, 48, 8, 16}; !slices.Equal(p.sizes, want) {
		t.Errorf("the packets have %v bytes, want %v", p.sizes, want)
	}
	if want := []int{0, 1, 2, 3, 4, 5, 0, 1}; !slices.Equal(m.lengths, want) || m.wrong > 0 {
		t.Errorf("the reader saw %v, want %v", m.lengths, want)
	}
	p.full = true
	binary.LittleEndian.PutUint32(p.packet[4:], math.MaxUint32)
	b.threads[0].activate(clock.At(9 * time.Millisecond))
	if state := b.net.Inlets[0].State(); state.Rejected != 1 || !strings.Contains(state.Problem, "no value of the port's type") {
		t.Errorf("after a packet of a false length the state is %+v", state)
	}
	if len(m.lengths) != 8 {
		t.Error("a packet of a false length was read")
	}
	at := 10
	return m, func() {
		now := clock.At(time.Duration(at) * time.Millisecond)
		at++
		a.threads[0].activate(now)
		b.threads[0].activate(now)
	}
}
