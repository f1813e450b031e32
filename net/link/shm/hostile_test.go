//go:build !race

// Damaged words make both ends write to one slot, which the race detector reports.

package shm

import (
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
)

// hostileSize is the size of the packets: large enough that a copy takes a while.
const hostileSize = 4096

// leastWords is how many words an attack writes at least.
const leastWords = 3000

// controlWords lists the offsets of all words of a segment outside packets: those through which a damaged peer can
// mislead an end.
func controlWords(s *segment) (list []int) {
	for at := atNumber; at < atSeatTab+MaxReceivers*seatBytes; at += 8 {
		list = append(list, at)
	}
	body := atSeatTab + MaxReceivers*seatBytes // of the first receiver
	if s.spec.Depth == 0 {
		return append(list, body)
	}
	slot := (lockfree.QueueSize(s.packet, 2) - lockfree.QueueSize(s.packet, 1))
	list = append(list, body, body+128, body+256)
	for i := range s.spec.Depth + 2 {
		list = append(list, body+384+i*slot)
	}
	return list
}

// atExchange is how many control words precede those of the exchange.
const atExchange = (atSeatTab + MaxReceivers*seatBytes - atNumber) / 8

// word returns one of the most misleading values, or a random one.
func word(random *rand.Rand) uint64 {
	switch random.IntN(3) {
	case 0:
		return random.Uint64()
	case 1:
		return uint64(random.IntN(128))
	}
	return -uint64(random.IntN(128))
}

// TestEndsSurviveWrongWordsInSharedMemory writes words into the control part of a link between two busy ends. Neither
// panics or hangs, no torn packet is delivered, both report the damage, and packets arrive again afterwards.
func TestEndsSurviveWrongWordsInSharedMemory(t *testing.T) {
	for _, depth := range []int{0, 4} {
		x := transport(t)
		spec := link.Spec{Name: "hostile", Size: hostileSize, Depth: depth}
		tx, err := x.Send(spec)
		if err != nil {
			t.Fatal(err)
		}
		rx, err := x.Receive(spec)
		if err != nil {
			t.Fatal(err)
		}
		random := testkit.Rand(t)
		attacked := tx.(*sender).segment
		var ended atomic.Bool
		var reported [2]atomic.Bool // by each end
		var ends sync.WaitGroup
		ends.Go(func() {
			packet := make([]byte, hostileSize)
			for n := uint64(0); !ended.Load(); n++ {
				fill(packet, n)
				_ = tx.Send(packet)
				reported[0].CompareAndSwap(false, damaged(tx.State()))
			}
		})
		ends.Go(func() {
			packet := make([]byte, hostileSize)
			for !ended.Load() {
				if _, err := rx.Receive(packet, time.Millisecond); err == nil && !whole(packet) {
					t.Error("a torn packet was delivered")
					return
				}
				reported[1].CompareAndSwap(false, damaged(rx.State()))
			}
		})
		patience := time.Now().Add(testkit.Patience())
		attack(attacked, random, func(written int) bool {
			return written >= leastWords && reported[0].Load() && reported[1].Load() || time.Now().After(patience)
		})
		ended.Store(true)
		ends.Wait()
		for k, state := range []link.State{tx.State(), rx.State()} {
			if !reported[k].Load() {
				t.Errorf("depth %d: an end has not reported the damage: %+v", depth, state)
			}
		}
		mustPass(t, tx, rx)
		rx.Close()
		tx.Close()
	}
}

// damaged reports whether an end has rejected what it met in damaged memory.
func damaged(s link.State) bool { return s.Rejected > 0 && strings.Contains(s.Problem, "damaged") }

// mustPass checks that the ends resynchronize: ten packets arrive in order.
func mustPass(t *testing.T, tx link.Sender, rx link.Receiver) {
	t.Helper()
	out, in := make([]byte, hostileSize), make([]byte, hostileSize)
	passed, last := 0, uint64(0)
	defer func() {
		if passed < 10 {
			t.Logf("the ends are %+v and %+v", tx.State(), rx.State())
		}
	}()
	testkit.AwaitEvery(t, 0, "packets arrive after the damage", func() bool {
		fill(out, uint64(passed))
		if err := tx.Send(out); err != nil {
			t.Fatal(err)
		}
		if stamp, err := rx.Receive(in, 0); err == nil {
			if stamp.Number <= last && last != 0 {
				t.Errorf("packet %d after %d", stamp.Number, last)
			}
			passed, last = passed+1, stamp.Number
		}
		return passed == 10
	})
}

// attack writes words into the control part of a link until it is ended, which it asks with the number of words so far.
func attack(s *segment, random *rand.Rand, ended func(written int) bool) {
	words := controlWords(s)
	for n := 0; !ended(n); n++ {
		at := words[random.IntN(len(words))]
		if random.IntN(2) == 0 { // an exchange has few of them
			at = words[len(words)-1-random.IntN(len(words)-atExchange)]
		}
		s.word64(at).Store(word(random))
		time.Sleep(time.Duration(random.IntN(50)) * time.Microsecond)
	}
}

// TestCClientSurvivesWrongWordsInSharedMemory is [TestEndsSurviveWrongWordsInSharedMemory] with an end in C, built
// with the address and undefined behaviour sanitizers.
func TestCClientSurvivesWrongWordsInSharedMemory(t *testing.T) {
	x := transport(t)
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("SKIPPED: no C compiler (cc) to build the client with")
	}
	busy := filepath.Join(t.TempDir(), "busy")
	client := filepath.Join(testkit.Root(t), "clients", "c")
	if out, err := exec.Command(cc, "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I", client, "-o", busy,
		filepath.Join("testdata", "busy.c"), filepath.Join(client, "ardnet.c")).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: the C compiler cannot build with sanitizers: %v: %s", err, out)
	}
	for _, depth := range []int{0, 4} {
		for _, role := range []string{"send", "receive"} {
			t.Run(role+strconv.Itoa(depth), func(t *testing.T) { playBusy(t, x, busy, role, depth) })
		}
	}
}

// playBusy acts as the other end of a program in C; it damages the memory in the first third of its time.
func playBusy(t *testing.T, x *Transport, busy, role string, depth int) {
	const lasts = 1500 * time.Millisecond
	spec := link.Spec{Name: "hostile", Size: cdrHeader + hostileSize, Depth: depth}
	child := exec.Command(busy, role, strconv.Itoa(depth), strconv.Itoa(int(lasts.Milliseconds())), "-ardnet.system", x.system)
	var stderr strings.Builder
	child.Stderr = &stderr
	random := testkit.Rand(t)
	var held *segment
	var turn func()
	packet := make([]byte, spec.Size)
	n, late := uint64(0), 0
	begin := time.Now()
	if role == "send" {
		rx, err := x.Receive(spec)
		if err != nil {
			t.Fatal(err)
		}
		defer rx.Close()
		held = rx.(*receiver).segment
		turn = func() {
			if _, err := rx.Receive(packet, time.Millisecond); err == nil {
				if !whole(packet[cdrHeader:]) {
					t.Error("a torn packet was delivered")
				}
				if time.Since(begin) > lasts/3 {
					late++
				}
			}
		}
	} else {
		tx, err := x.Send(spec)
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Close()
		held = tx.(*sender).segment
		turn = func() {
			n++
			fill(packet[cdrHeader:], n)
			_ = tx.Send(packet)
			late++
		}
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var attacks sync.WaitGroup
	attacks.Go(func() { attack(held, random, func(int) bool { return time.Since(begin) > lasts/3 }) })
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	for len(ended) == 0 && time.Since(begin) < testkit.Patience() { // on a busy machine the program begins late, and its time with it
		turn()
	}
	attacks.Wait()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the program in C: %v\n%s", err, stderr.String())
		}
	case <-time.After(testkit.Patience()):
		_ = child.Process.Kill()
		t.Error("the program in C hangs")
	}
	if late == 0 {
		t.Error("nothing came through after the damage")
	}
}
