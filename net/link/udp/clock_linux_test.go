package udp

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/remote"
)

// otherClock names the environment variable that makes the test binary's child a host with another clock: the address
// to call, its private key and the other's public key.
const otherClock = "SINEW_UDP_TEST_OTHER_CLOCK"

// TestAgeIsRightAcrossClocks receives from a host whose monotonic clock is a day ahead.
func TestAgeIsRightAcrossClocks(t *testing.T) {
	if os.Getenv(otherClock) != "" {
		sendFromOtherClock(t)
		return
	}
	const day = 24 * time.Hour
	if out, err := exec.Command("unshare", "--time", "--monotonic", "86400", "--fork", "true").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no time namespace here: %v\n%s", err, out)
	}
	own, other := identity(t), identity(t)
	h := host(t, remote.Config{Name: "robot", Identity: own})
	operator := join(t, h, remote.PeerConfig{Name: "operator", Key: other.Public()})
	rx, err := operator.Receive(link.Spec{Name: "data", Size: 64})
	if err != nil {
		t.Fatal(err)
	}
	defer rx.Close()
	begin := time.Now()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command("unshare", "--time", "--monotonic", "86400", "--fork", "--kill-child", self, "-test.run=^TestAgeIsRightAcrossClocks$")
	child.Env = append(os.Environ(), otherClock+"="+strings.Join([]string{h.Addr().String(), other.Secret(), own.Public().String()}, " "))
	var out strings.Builder
	child.Stdout, child.Stderr = &out, &out
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = child.Process.Kill()
		_ = child.Wait()
	}()
	packet := make([]byte, 64)
	for known := 0; known < 10; {
		stamp, err := rx.Receive(packet, testkit.Patience())
		if err != nil {
			t.Fatalf("no packet: %v: %s\n%s", err, operator.State().Problem, out.String())
		}
		if most := time.Second + time.Since(begin); stamp.Age < time.Second || stamp.Age > most {
			t.Fatalf("a packet that was forwarded at the age of 1 s is %v old, want at most %v", stamp.Age, most)
		}
		if s := operator.State(); s.Trip != 0 {
			known++
			if wrong := (s.Offset - day).Abs(); wrong > s.Trip {
				t.Fatalf("the clock is %v ahead, want a day; the round trip is %v", s.Offset, s.Trip)
			}
		}
	}
}

func sendFromOtherClock(t *testing.T) {
	words := strings.Fields(os.Getenv(otherClock))
	own, err := remote.ParseIdentity(words[1])
	if err != nil {
		t.Fatal(err)
	}
	key, err := remote.ParsePublicKey(words[2])
	if err != nil {
		t.Fatal(err)
	}
	robot := join(t, host(t, remote.Config{Name: "operator", Identity: own}), remote.PeerConfig{Name: "robot", Key: key, Address: words[0]})
	tx, err := robot.Send(link.Spec{Name: "data", Size: 64})
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(testkit.Patience()); time.Now().Before(end); {
		_ = tx.Forward(make([]byte, 64), time.Second)
		time.Sleep(10 * time.Millisecond)
	}
}

// TestWaitingAllocatesNothing sends back and forth between two hosts whose receivers wait.
func TestWaitingAllocatesNothing(t *testing.T) {
	robot, operator := pair(t, false)
	tx, rx := ends(t, robot, operator, link.Spec{Name: "there", Size: 3000})
	out, in := make([]byte, 3000), make([]byte, 3000)
	testkit.NoAllocs(t, 500, func() {
		_ = tx.Send(out)
		if _, err := rx.Receive(in, testkit.Patience()); err != nil {
			t.Fatal(err)
		}
	})
}
