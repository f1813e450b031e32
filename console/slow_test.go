package console_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// long writes a long vector.
type long struct{ Out block.Out[[]float64] }

func (l *long) Setup(u *block.Setup) error {
	u.Len(100, &l.Out)
	return nil
}

func (l *long) Step(t clock.Tick) error {
	for i := range *l.Out.Slot() {
		(*l.Out.Slot())[i] = t.Dt.Seconds() / float64(i+3)
	}
	l.Out.Commit()
	return nil
}

// TestPageThatDoesNotReadDelaysNoOther checks that a page which stops reading costs bounded memory and delays no other page, and that it gets
// the number of samples that it missed when it reads again.
func TestPageThatDoesNotReadDelaysNoOther(t *testing.T) {
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "main", Period: time.Millisecond})
	signals := []m{}
	for i := range 8 {
		name := fmt.Sprintf("s%d", i)
		d.Add(name, &long{}, diagram.Place{Thread: "main"})
		signals = append(signals, m{"ref": name + ".out"})
	}
	r := open(t, execute(t, d))
	slow, quick := r.page(""), r.page(aToken+" ann")
	proxy := throttle(t, r)
	stalled, err := slow.browser.pageThrough(proxy.address)
	if err != nil {
		t.Fatal(err)
	}
	f, _ := stalled.watch(m{"system": "test", "signals": signals})
	testkit.Await(t, "frames", func() bool { _, v := f.values(1); return len(v) > 10 })
	lost := func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return slices.ContainsFunc(f.list, func(x frame) bool { return x.Lost > 0 })
	}
	for patience := 2 * time.Second; !lost(); patience *= 2 { // the system's own buffers fill first
		if patience > testkit.Patience() {
			t.Fatal("the page did not get the number of samples it missed")
		}
		proxy.stall(true)
		time.Sleep(patience)
		quick.want("structure", m{"system": "test"}) // is answered while the other page reads nothing
		proxy.stall(false)
		time.Sleep(patience / 3)
	}
}

// throttled passes a page's connection on, or stops doing so.
type throttled struct {
	address string
	stalled chan bool
}

func (p *throttled) stall(on bool) { p.stalled <- on }

func throttle(t *testing.T, r *rig) *throttled {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &throttled{l.Addr().String(), make(chan bool)}
	t.Cleanup(func() { l.Close() })
	go func() {
		in, err := l.Accept()
		if err != nil {
			return
		}
		defer in.Close()
		out, err := net.Dial("tcp", strings.TrimPrefix(r.base, "http://"))
		if err != nil {
			return
		}
		defer out.Close()
		_ = out.(*net.TCPConn).SetReadBuffer(64 << 10)
		go func() { _, _ = io.Copy(out, in); out.Close() }()
		b := bufio.NewReaderSize(out, 16<<10)
		chunk := make([]byte, 16<<10)
		for {
			select {
			case on := <-p.stalled:
				for on {
					on = <-p.stalled
				}
			default:
			}
			n, err := b.Read(chunk)
			if err != nil {
				return
			}
			if _, err := in.Write(chunk[:n]); err != nil {
				return
			}
		}
	}()
	return p
}
