package shm

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
)

// The variables that turn the test binary's child into an end that is going to be killed, and set the number of
// kills.
const (
	killRole   = "SINEW_SHM_TEST_ROLE"   // send or receive
	killSystem = "SINEW_SHM_TEST_SYSTEM" // its name space
	killDepth  = "SINEW_SHM_TEST_DEPTH"
	killRounds = "SINEW_SHM_KILLS" // more than the default
)

const killSize = 2048

// TestEndsSurviveKilledPeers kills senders and receivers at random instants of their work: the surviving end gets
// whole packets only, in order, and gets new ones as soon as the peer is back. SINEW_SHM_KILLS=10000 kills that many.
func TestEndsSurviveKilledPeers(t *testing.T) {
	if os.Getenv(killRole) != "" {
		playVictim(t)
		return
	}
	kills := 240
	if n, err := strconv.Atoi(os.Getenv(killRounds)); err == nil {
		kills = n
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, depth := range []int{0, 8} {
		for _, role := range []string{"send", "receive"} {
			t.Run(role+"/"+strconv.Itoa(depth), func(t *testing.T) {
				k := killer{t: t, x: transport(t), role: role, depth: depth, random: rand.New(rand.NewPCG(seed, uint64(depth)))}
				k.run(kills / 4)
			})
		}
	}
}

// killer is the end that survives and kills the other one.
type killer struct {
	t      *testing.T
	x      *Transport
	role   string // of the victim
	depth  int
	random *rand.Rand
	tx     *sender
	rx     *receiver
	packet []byte
	last   uint64 // number of the last packet received
	first  uint64 // the first number of the current victim
}

func (k *killer) run(kills int) {
	spec := link.Spec{Name: "killed", Size: killSize, Depth: k.depth}
	k.packet = make([]byte, killSize)
	if k.role == "send" {
		rx, err := k.x.Receive(spec)
		if err != nil {
			k.t.Fatal(err)
		}
		defer rx.Close()
		k.rx = rx.(*receiver)
	} else {
		tx, err := k.x.Send(spec)
		if err != nil {
			k.t.Fatal(err)
		}
		defer tx.Close()
		k.tx = tx.(*sender)
	}
	for kill := range kills {
		k.once(kill)
	}
}

// once starts a victim, waits until it works, and kills it within two milliseconds.
func (k *killer) once(kill int) {
	if k.rx != nil {
		k.first = k.rx.segment.word64(atNumber).Load() + 1
	}
	child := exec.Command(os.Args[0], "-test.run=^TestEndsSurviveKilledPeers$")
	child.Env = append(os.Environ(), killRole+"="+k.role, killSystem+"="+k.x.system, killDepth+"="+strconv.Itoa(k.depth))
	if err := child.Start(); err != nil {
		k.t.Fatal(err)
	}
	defer func() {
		_ = child.Process.Kill()
		if _ = child.Wait(); child.ProcessState.Exited() {
			k.t.Errorf("kill %d: the victim ended before it was killed: %v", kill, child.ProcessState)
		}
	}()
	testkit.AwaitEvery(k.t, 0, fmt.Sprintf("a packet arrives before kill %d", kill), k.work)
	for end := time.Now().Add(time.Duration(k.random.IntN(2000)) * time.Microsecond); time.Now().Before(end); {
		k.work()
	}
}

// work does the surviving end's part once, and reports whether the current victim does its own.
func (k *killer) work() bool {
	if k.tx != nil {
		fill(k.packet, k.tx.sent.Load())
		return k.tx.Send(k.packet) == nil && k.tx.State().Connected
	}
	stamp, err := k.rx.Receive(k.packet, time.Millisecond)
	if err != nil {
		return false
	}
	if !whole(k.packet) {
		k.t.Fatal("a torn packet was delivered")
	}
	if stamp.Number <= k.last {
		k.t.Fatalf("packet %d after %d", stamp.Number, k.last)
	}
	k.last = stamp.Number
	return stamp.Number >= k.first
}

// playVictim sends or receives as fast as it can until it is killed.
func playVictim(t *testing.T) {
	depth, _ := strconv.Atoi(os.Getenv(killDepth))
	x, err := New(os.Getenv(killSystem))
	if err != nil {
		t.Fatal(err)
	}
	spec := link.Spec{Name: "killed", Size: killSize, Depth: depth}
	packet := make([]byte, killSize)
	if os.Getenv(killRole) == "send" {
		tx, err := x.Send(spec)
		if err != nil {
			t.Fatal(err)
		}
		for n := uint64(0); ; n++ {
			fill(packet, n)
			_ = tx.Send(packet)
		}
	}
	rx, err := x.Receive(spec)
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := rx.Receive(packet, time.Second); err == nil && !whole(packet) {
			t.Fatal("a torn packet was delivered")
		}
	}
}

func fill(packet []byte, n uint64) {
	for i := 0; i < len(packet); i += 8 {
		binary.LittleEndian.PutUint64(packet[i:], n)
	}
}

func whole(packet []byte) bool {
	first := binary.LittleEndian.Uint64(packet)
	for i := 8; i < len(packet); i += 8 {
		if binary.LittleEndian.Uint64(packet[i:]) != first {
			return false
		}
	}
	return true
}
