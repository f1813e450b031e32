package canopen

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/internal/testkit/oracle"
)

// question is the task of canopen.mjs.
type question struct {
	Role    string `json:"role"`
	Address string `json:"address"`
	Port    int    `json:"port"`
	Node    int    `json:"node"`
	Own     int    `json:"own"`
	Text    string `json:"text"`
}

// bus returns an open bus in this machine, and where the other end finds it.
func bus(t *testing.T) (wire.Wire, question) {
	t.Helper()
	q := question{Address: "239.74.163.4", Port: testkit.FreePort(t, 1)}
	w, err := wire.New(fmt.Sprintf("can+udp://%s:%d?interface=lo", q.Address, q.Port), wire.Frames)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Open(); err != nil {
		t.Skip("SKIPPED: there is no multicast: ", err)
	}
	return w, q
}

// beside runs step each millisecond in a goroutine of its own until stop or the end of the test, and closes the bus then.
func beside(t *testing.T, w wire.Wire, step func()) (stop func()) {
	t.Helper()
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-end:
				return
			case <-ticker.C:
				step()
			}
		}
	}()
	stop = sync.OnceFunc(func() {
		close(end)
		<-ended
		_ = w.Close()
	})
	t.Cleanup(stop)
	return stop
}

const longText = "a text of more than four bytes goes in segments of seven each"

// TestOracleCommandsTheNode lets the npm package canopen command an emulated drive as its master.
func TestOracleCommandsTheNode(t *testing.T) {
	w, q := bus(t)
	e := NewEmulator(w, 5)
	text, _ := e.drives[0].objects.Find(0x2000, 0)
	failed := false
	beside(t, w, func() {
		if !failed && string(text.Data) == "fail" {
			failed = true
			e.Fail(0)
		}
		if err := e.Step(time.Millisecond); err != nil {
			t.Error(err)
		}
	})
	q.Role, q.Node, q.Own, q.Text = "master", 5, 0x7e, longText
	var got struct {
		Heard       []int
		Type        uint32
		Name, Text  string
		Refused     []uint32
		States      []int
		PDOs        [][]int `json:"pdos"`
		Emergencies [][]int
	}
	oracle.Ask(t, "canopen.mjs", q, &got)
	if got.Type != 2<<16|402 || got.Name != "emulated drive of CiA 402" || got.Text != longText {
		t.Errorf("read type %x, name %q, text %q", got.Type, got.Name, got.Text)
	}
	if want := []uint32{uint32(AbortNoObject), uint32(AbortNoSub), uint32(AbortReadOnly), uint32(AbortLength)}; !slices.Equal(got.Refused, want) {
		t.Errorf("refused with %x, expected %x", got.Refused, want)
	}
	if want := []int{0x21, 0x23, 0x27}; !slices.Equal(got.States, want) {
		t.Errorf("states %x, expected %x", got.States, want)
	}
	if len(got.PDOs) != 1 || got.PDOs[0][0]&0x6f != 0x27 || got.PDOs[0][1] != -100 {
		t.Errorf("PDOs %v, expected operation enabled at -100", got.PDOs)
	}
	if len(got.Emergencies) != 1 || !slices.Equal(got.Emergencies[0], []int{overCurrent, 3}) {
		t.Errorf("emergencies %x", got.Emergencies)
	}
	if want := []int{0, 127, 5, 4}; !slices.Equal(got.Heard, want) {
		t.Errorf("NMT states %v, expected %v", got.Heard, want)
	}
}

// script is what the master of [TestMasterCommandsTheOracle] does one after the other; each returns whether it is done.
type script struct {
	m      *Master
	steps  []func() bool
	log    []string
	number uint32 // of the last PDO
}

func (s *script) say(format string, a ...any) { s.log = append(s.log, fmt.Sprintf(format, a...)) }

func (s *script) step() {
	for {
		r, e, f, number, ok, err := s.m.Receive()
		if !ok {
			break
		}
		switch e {
		case Booted:
			s.say("booted")
		case Transfer:
			s.say("object %04X: % x", r.sdo.index, r.sdo.Data())
		case Received:
			s.say("PDO %d: % x", number, f.Bytes())
			s.number = binary.LittleEndian.Uint32(f.Data[:])
		case Disturbed:
			s.say("%v", err)
		}
	}
	if err := s.m.Elapse(time.Millisecond); err != nil {
		s.say("%v", err)
	}
	if len(s.steps) > 0 && !s.m.Remote(0).SDO().Busy() && s.steps[0]() {
		s.steps = s.steps[1:]
	}
	_ = s.m.Flush()
}

// TestMasterCommandsTheOracle lets our master command a node of the npm package canopen.
func TestMasterCommandsTheOracle(t *testing.T) {
	w, q := bus(t)
	s := &script{m: NewMaster(wire.OnBus(w), 9)}
	r := s.m.Remote(0)
	do := func(f func()) { s.steps = append(s.steps, func() bool { f(); return true }) }
	state := func(want State) { s.steps = append(s.steps, func() bool { return r.State() == want }) }
	state(PreOperational)
	do(func() { r.sdo.Upload(0x2001, 0) })
	do(func() { r.sdo.Download(0x2001, 0, []byte{0x2c, 0x01}) })
	do(func() { r.sdo.Upload(0x2002, 0) })
	do(func() { r.sdo.Download(0x2002, 0, []byte(longText)) })
	do(func() { r.sdo.Upload(0x5fff, 0) })
	do(func() { s.m.Command(StartNode, 9) })
	state(Operational)
	do(func() { s.m.Sync() })
	s.steps = append(s.steps, func() bool { return s.number == 0x12345678 })
	do(func() { s.m.Send(9, 1, []byte{1, 2, 3, 4}) })
	s.steps = append(s.steps, func() bool { return r.Emergency() != nil })
	do(func() { s.m.Command(EnterPreOperational, 9) })
	state(PreOperational)
	do(func() { r.sdo.Download(0x2003, 0, []byte{1}) })
	stop := beside(t, w, s.step)
	q.Role, q.Node, q.Own, q.Text = "slave", MasterID, 9, "what the node sends in segments"
	var got struct {
		Heard  []int
		PDOs   []uint32 `json:"pdos"`
		Syncs  int
		Number int
		Text   string
	}
	oracle.Ask(t, "canopen.mjs", q, &got)
	if got.Number != 300 || strings.TrimRight(got.Text, "\x00") != longText || got.Syncs != 1 || !slices.Equal(got.PDOs, []uint32{0x04030201}) || !slices.Equal(got.Heard, []int{127, 5, 127}) {
		t.Errorf("the node has got %+v", got)
	}
	stop()
	for _, want := range []string{
		"object 2001: f9 ff", "object 2002: 77 68 61 74", "node 9, object 5FFFh:00: the object does not exist (06020000h)", "PDO 1: 78 56 34 12",
		"node 9 reports emergency 4210h (temperature), error register",
	} {
		if !slices.ContainsFunc(s.log, func(line string) bool { return strings.HasPrefix(line, want) }) {
			t.Errorf("the master has not got %q, but %q", want, s.log)
		}
	}
}
