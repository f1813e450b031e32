package shm

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/linktest"
)

// The library for programs in C passes the suite of all transports, as sender and as receiver.
func TestCClientConforms(t *testing.T) {
	puppet := buildPuppet(t)
	t.Run("sends", func(t *testing.T) {
		linktest.Run(t, func(t *testing.T) linktest.Pair {
			x := transport(t)
			return linktest.Pair{Sending: programs{x, puppet}, Receiving: unheaded{x}, Reliable: true, SendingProgram: true}
		})
	})
	t.Run("receives", func(t *testing.T) {
		linktest.Run(t, func(t *testing.T) linktest.Pair {
			x := transport(t)
			return linktest.Pair{Sending: x, Receiving: programs{x, puppet}, Reliable: true, ReceivingProgram: true}
		})
	})
}

// A program whose packets have another size or depth gets none, and both ends report it.
func TestCClientAndItsPeerReportAMismatch(t *testing.T) {
	x := transport(t)
	path := buildPuppet(t)
	for want, wrong := range map[string]link.Spec{
		"the peer's packets have 60 bytes, here 124":          {Name: "mismatch", Size: 128},
		"the peer's link is buffered for 0 packets, here 4":   {Name: "mismatch", Size: 64, Depth: 4},
		"its packets all have one size: create the port with": {Name: "mismatch", Size: 64, Varies: true},
		"wants a name of at most 200 letters, digits, . _":    {Name: "mis match", Size: 64},
		"wants a name of at most 200 letters, digits, . _ an": {Name: strings.Repeat("m", link.MaxName+1), Size: 64},
		"wants a size of 1 byte to 64 MB":                     {Name: "mismatch", Size: link.MaxSize + 1},
	} {
		tx, err := x.Send(link.Spec{Name: "mismatch", Size: 64})
		if err != nil {
			t.Fatal(err)
		}
		rx, err := programs{x, path}.Receive(wrong)
		if err == nil {
			_, err = rx.Receive(make([]byte, wrong.Size), 0)
			if p := tx.State().Problem; !strings.Contains(p, "another packet type, size or depth was rejected") {
				t.Errorf("%+v: the sender reports %q", wrong, p)
			}
			_ = rx.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: the program reports %v, want %q", wrong, err, want)
		}
		if err := tx.Close(); err != nil {
			t.Error(err)
		}
	}
}

// buildPuppet builds the program of testdata/puppet.c.
func buildPuppet(t *testing.T) string {
	t.Helper()
	return buildC(t, filepath.Join("testdata", "puppet.c"), filepath.Join(testkit.Root(t), "clients", "c", "ardnet.c"))
}

// buildC builds a program of C files that include those of the client, and returns its path.
func buildC(t *testing.T, files ...string) string {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("SKIPPED: no C compiler (cc) to build the client with")
	}
	program := filepath.Join(t.TempDir(), "program")
	out, err := exec.Command(cc, append([]string{"-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-I", filepath.Join(testkit.Root(t), "clients", "c"), "-o", program}, files...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

const cdrHeader = 4

// programs is a transport with a program in C for each end. Its packets have the CDR header, which the program does not see.
type programs struct {
	*Transport
	path string
}

func (p programs) Send(s link.Spec) (link.Sender, error) { return p.start("send", s) }

func (p programs) Receive(s link.Spec) (link.Receiver, error) { return p.start("receive", s) }

func (p programs) start(role string, s link.Spec) (*program, error) {
	if s.Varies {
		role += "-varies"
	}
	c := &program{spec: s, cmd: exec.Command(p.path, role, s.Name, strconv.Itoa(s.Size-cdrHeader), strconv.Itoa(s.Depth), "-ardnet.system", p.system)}
	out, err := c.cmd.StdoutPipe()
	if err == nil {
		c.in, err = c.cmd.StdinPipe()
	}
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(out)
	if line, err := c.out.ReadString('\n'); err != nil || line != "ready\n" {
		_ = c.Close()
		return nil, fmt.Errorf("the program: %q, %v", line, err)
	}
	c.segment = filepath.Join(Folder(p.system), s.Name)
	return c, nil
}

// program is a running program with its port.
type program struct {
	spec    link.Spec
	cmd     *exec.Cmd
	segment string

	mu     sync.Mutex
	in     io.WriteCloser
	out    *bufio.Reader
	sent   uint64
	closed bool
}

// ask returns the answer to a line.
func (p *program) ask(format string, args ...any) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := fmt.Fprintf(p.in, format+"\n", args...); err != nil {
		return "", err
	}
	line, err := p.out.ReadString('\n')
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "-1") {
		err = errors.New(line)
	}
	return line, err
}

func (p *program) Send(packet []byte) error {
	return p.send("send %d %d", binary.LittleEndian.Uint64(packet), len(packet)-cdrHeader)
}

func (p *program) Forward(packet []byte, age time.Duration) error {
	return p.send("send %d %d %g", binary.LittleEndian.Uint64(packet), len(packet)-cdrHeader, age.Seconds())
}

func (p *program) send(format string, args ...any) error {
	_, err := p.ask(format, args...)
	if err == nil {
		p.sent++
	}
	return err
}

// received fills a packet as the suite does, with the number that the program has answered. The numbers of packets stay in the library.
func (p *program) received(packet []byte, line string, err error) (link.Stamp, error) {
	text, ok := strings.CutPrefix(line, "1 ")
	if err == nil && line == "0" {
		err = link.ErrTimeout
	} else if err == nil && !ok {
		err = errors.New(line)
	}
	if err != nil {
		return link.Stamp{}, err
	}
	var n uint64
	var size int
	var age float64
	_, err = fmt.Sscan(text, &n, &size, &age)
	for i := 0; i < len(packet); i += 8 {
		binary.LittleEndian.PutUint64(packet[i:], n)
	}
	return link.Stamp{Size: size + cdrHeader, Age: time.Duration(age * 1e9)}, err
}

func (p *program) TryReceive(packet []byte) (link.Stamp, bool) {
	line, err := p.ask("try")
	stamp, err := p.received(packet, line, err)
	return stamp, err == nil
}

func (p *program) Receive(packet []byte, timeout time.Duration) (link.Stamp, error) {
	line, err := p.ask("rec %g", timeout.Seconds())
	return p.received(packet, line, err)
}

// State looks whether the link has the other end, which the library does not show.
func (p *program) State() link.State {
	s := link.State{Packets: p.sent}
	shared, err := rt.OpenShared(p.segment)
	if err != nil {
		return s
	}
	defer shared.Close()
	seen := &segment{shared: shared}
	if strings.HasPrefix(p.cmd.Args[1], "send") {
		s.Connected = seen.used(firstSeat, MaxReceivers)
	} else {
		s.Connected = shared.Taken(senderSeat)
		if line, err := p.ask("age"); err == nil {
			s.Age, _ = strconv.ParseFloat(line, 64)
		}
	}
	return s
}

func (p *program) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	p.closed = true
	_ = p.in.Close()
	_ = p.cmd.Wait()
	return nil
}

// unheaded is a transport whose receivers check the CDR header of a packet and put back what it has taken the place of.
type unheaded struct{ *Transport }

func (u unheaded) Receive(s link.Spec) (link.Receiver, error) {
	r, err := u.Transport.Receive(s)
	return restoring{r}, err
}

type restoring struct{ link.Receiver }

func (r restoring) TryReceive(packet []byte) (link.Stamp, bool) {
	stamp, ok := r.Receiver.TryReceive(packet)
	return stamp, ok && restore(packet)
}

func (r restoring) Receive(packet []byte, timeout time.Duration) (link.Stamp, error) {
	stamp, err := r.Receiver.Receive(packet, timeout)
	if err == nil && !restore(packet) {
		err = fmt.Errorf("the packet begins with % x, which is no CDR header", packet[:cdrHeader])
	}
	return stamp, err
}

func restore(packet []byte) bool {
	ok := bytes.HasPrefix(packet, []byte{0, 1, 0, 0})
	copy(packet[:cdrHeader], packet[8:])
	return ok
}

// TestCClientReusesNoTurnOfADamagedQueue is the counterpart of lockfree's test of queues that begin again.
func TestCClientReusesNoTurnOfADamagedQueue(t *testing.T) {
	if err := exec.Command(buildC(t, filepath.Join("testdata", "restart.c"))).Run(); err != nil {
		t.Errorf("the program in C: %v; 1: the slot of a packet that is copied gets its turn back", err)
	}
}
