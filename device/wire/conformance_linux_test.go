package wire

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// pair is a driver's end of a channel and the device's.
type pair struct {
	driver, device Wire
	kind           Kind
}

// pairs makes each kind of channel, and wrapped ones.
func pairs(t *testing.T) map[string]func() pair {
	t.Helper()
	dir := t.TempDir()
	port := testkit.FreePort(t, 100)
	made := 0
	ends := func(kind Kind, driver, device string) func() pair {
		return func() pair {
			made++
			fill := func(address string) string {
				return strings.NewReplacer("DIR", filepath.Join(dir, fmt.Sprint(made)), "PORT", fmt.Sprint(port+made)).Replace(address)
			}
			return pair{create(t, fill(driver), kind), create(t, fill(device), kind), kind}
		}
	}
	pipe := func() pair {
		driver, device := Pipe("memory")
		return pair{driver, device, Bytes}
	}
	tcp := ends(Bytes, "tcp://127.0.0.1:PORT", "tcp+listen://127.0.0.1:PORT")
	udp := ends(Datagrams, "udp://127.0.0.1:PORT", "udp+listen://127.0.0.1:PORT")
	return map[string]func() pair{
		"memory": pipe,
		"memory, datagrams": func() pair {
			driver, device := PipeOf("memory", Datagrams)
			return pair{driver, device, Datagrams}
		},
		"serial, pty":  ends(Bytes, "serial://DIR", "pty://DIR"),
		"tcp":          tcp,
		"udp":          udp,
		"tcp, IPv6":    ends(Bytes, "tcp://[::1]:PORT", "tcp+listen://[::1]:PORT"),
		"CAN over UDP": ends(Frames, "can+udp://239.74.163.2:PORT?interface=lo", "can+udp://239.74.163.2:PORT?interface=lo"),
		"slcan": func() pair {
			driver, device := Pipe("memory")
			return pair{newSlcanOn(driver, 6), newSlcanOn(device, 6), Frames}
		},
		"recorded": func() pair {
			p := tcp()
			return pair{NewRecorder(p.driver, 1<<24), p.device, Bytes}
		},
		"late": func() pair {
			p := udp()
			return pair{NewInjector(p.driver, p.kind, Faults{Late: 20 * time.Millisecond}), p.device, p.kind}
		},
	}
}

func create(t *testing.T, address string, kind Kind) Wire {
	t.Helper()
	w, err := New(address, kind)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// TestChannelsConform takes each kind of channel through its life.
func TestChannelsConform(t *testing.T) {
	for name, make := range pairs(t) {
		t.Run(name, func(t *testing.T) {
			p := make()
			for _, w := range []Wire{p.driver, p.device} {
				refuses(t, w, ErrClosed)
			}
			open(t, p.device)
			open(t, p.driver)
			p.join(t)
			p.carries(t, p.driver, p.device)
			p.carries(t, p.device, p.driver)
			if p.kind == Bytes {
				p.loses(t)
			}
			for _, w := range []Wire{p.driver, p.device} {
				for range 2 {
					if err := w.Close(); err != nil {
						t.Error(err)
					}
				}
				refuses(t, w, ErrClosed)
			}
			open(t, p.device)
			open(t, p.driver)
			p.join(t)
			p.carries(t, p.driver, p.device)
		})
	}
}

// TestChannelsAllocateNothing counts allocations of an idle, a busy, a lost and a reopened channel.
func TestChannelsAllocateNothing(t *testing.T) {
	for name, make := range pairs(t) {
		t.Run(name, func(t *testing.T) {
			p := make()
			var buffer [256]byte
			message := message(p.kind, 7)
			exchange := func() {
				for range 500 {
					_, _ = p.driver.Write(message)
					_, _ = p.device.Read(buffer[:])
					_, _ = p.device.Write(message)
					_, _ = p.driver.Read(buffer[:])
				}
			}
			count := func(state string, do func()) {
				t.Helper()
				do()
				var before, after runtime.MemStats
				for range 3 { // the runtime itself allocates now and then
					runtime.ReadMemStats(&before)
					do()
					runtime.ReadMemStats(&after)
					if after.Mallocs-before.Mallocs == 0 {
						return
					}
				}
				t.Errorf("%s: %d allocations", state, after.Mallocs-before.Mallocs)
			}
			count("closed", exchange)
			open(t, p.device)
			open(t, p.driver)
			p.join(t)
			count("open", exchange)
			_ = p.device.Close()
			if name != "CAN over UDP" { // joining a group allocates
				count("lost and opened again", func() {
					for range 20 {
						_ = p.driver.Open()
						_, _ = p.driver.Read(buffer[:])
						_, _ = p.driver.Write(message)
					}
				})
			}
		})
	}
}

func open(t *testing.T, w Wire) {
	t.Helper()
	if err := w.Open(); err != nil {
		t.Fatal(err)
	}
}

// refuses checks that nothing can be moved, and why.
func refuses(t *testing.T, w Wire, kind error) {
	t.Helper()
	_, reading := w.Read(make([]byte, 64))
	_, writing := w.Write(append([]byte{0, 0, 0, 0, 8}, make([]byte, 11)...))
	for _, err := range []error{reading, writing} {
		var fault *Fault
		if !errors.Is(err, kind) || !errors.As(err, &fault) || !strings.HasPrefix(err.Error(), w.String()+": ") {
			t.Errorf("%s: %v, expected %v", w, err, kind)
		}
	}
}

// join waits until both ends can send and receive.
func (p *pair) join(t *testing.T) {
	t.Helper()
	var buffer [256]byte
	hello := message(p.kind, 0)
	var heard, answered bool
	testkit.AwaitEvery(t, time.Millisecond, "the ends hear each other", func() bool {
		_, _ = p.driver.Write(hello)
		if n, _ := p.device.Read(buffer[:]); n > 0 {
			heard = true
		}
		_, _ = p.device.Write(hello)
		if n, _ := p.driver.Read(buffer[:]); n > 0 {
			answered = true
		}
		return heard && answered
	})
	for idle := 0; idle < 100; time.Sleep(time.Millisecond) { // until everything has been read
		a, _ := p.driver.Read(buffer[:])
		b, _ := p.device.Read(buffer[:])
		if idle++; a > 0 || b > 0 {
			idle = 0
		}
	}
}

// message returns what one call of a kind carries, different for each number.
func message(kind Kind, number int) []byte {
	if kind == Frames {
		f := NewFrame(uint32(number%2048), byte(number), 2, 3)
		f.Extended = number%3 == 0
		f.Remote = number%5 == 4
		if f.Remote {
			f.Data = [8]byte{}
		}
		return appendFrame(nil, f)
	}
	return fmt.Appendf(nil, "message %d.", number)
}

// carries sends many messages one way, faster than they are read.
func (p *pair) carries(t *testing.T, from, to Wire) {
	t.Helper()
	const messages = 5000
	var sent, received []byte
	buffer := make([]byte, 4096)
	rest := []byte(nil)
	number := 0
	defer func() {
		if len(received) < len(sent) {
			t.Logf("%s → %s: %d of %d bytes arrived", from, to, len(received), len(sent))
		}
	}()
	testkit.AwaitEvery(t, 0, "all messages arrive", func() bool {
		for burst := 0; burst < 20 && number < messages; burst++ {
			if p.kind != Bytes && len(sent)-len(received) > 1000 { // the system drops what is not read
				break
			}
			if len(rest) == 0 {
				rest = message(p.kind, number)
			}
			n, err := from.Write(rest)
			if err != nil {
				t.Fatal(err)
			}
			if n == 0 {
				break
			}
			sent = append(sent, rest[:n]...)
			if rest = rest[n:]; len(rest) == 0 {
				number++
			} else if p.kind != Bytes {
				t.Fatalf("%d bytes of a message were sent", n)
			}
		}
		if n, err := from.Read(buffer); n > 0 || err != nil { // as each driver does: what it has sent itself must not fill its queue
			t.Fatalf("%s received %d bytes, %v", from, n, err)
		}
		n, err := to.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		received = append(received, buffer[:n]...)
		if n == 0 {
			time.Sleep(100 * time.Microsecond)
		}
		return number == messages && len(received) >= len(sent)
	})
	if !bytes.Equal(sent, received) {
		t.Fatalf("%s → %s: what arrived is not what was sent", from, to)
	}
}

// loses unplugs the device's end: the driver's end reports it, until it is opened again.
func (p *pair) loses(t *testing.T) {
	t.Helper()
	_ = p.device.Close()
	var err error
	testkit.Await(t, "the driver's end reports that the other end has closed", func() bool {
		_, err = p.driver.Read(make([]byte, 64))
		return err != nil
	})
	if !errors.Is(err, ErrLost) {
		t.Fatalf("the other end has closed: %v", err)
	}
	refuses(t, p.driver, ErrLost)
	for begin := time.Now(); time.Since(begin) < 20*time.Millisecond; time.Sleep(time.Millisecond) {
		_ = p.driver.Open()
		if n, err := p.driver.Read(make([]byte, 64)); n > 0 || err == nil && p.driver.String() != "memory" && !strings.HasPrefix(p.driver.String(), "slcan") {
			t.Fatalf("%s: opened without the other end: %d bytes, %v", p.driver, n, err)
		}
	}
	open(t, p.device)
	var buffer [64]byte
	testkit.AwaitEvery(t, time.Millisecond, "the channel comes back", func() bool {
		_, _ = p.device.Read(buffer[:])
		_, err := p.driver.Write([]byte("again"))
		if errors.Is(err, ErrLost) {
			_ = p.driver.Open()
		}
		return err == nil
	})
	p.join(t)
}
