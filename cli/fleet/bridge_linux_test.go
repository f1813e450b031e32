package fleet

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/remote"
	"github.com/sinew-robotics/sinew/net/link/shm"
	"github.com/sinew-robotics/sinew/net/link/udp"
)

// full is a way to other hosts without room for the datagrams of links that carry 1000 bytes.
type full struct{ link.Datagrams }

// Write implements link.Datagrams.
func (f full) Write(d []byte, to link.Address) bool { return len(d) < 1000 && f.Datagrams.Write(d, to) }

// noting holds the priorities that a scheduler has seen of waiting links.
type noting struct {
	mu   sync.Mutex
	seen map[string]int
}

func (n *noting) next(waiting []link.Waiting) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, w := range waiting {
		n.seen[w.Spec.Name] = w.Spec.Priority
	}
	return 0
}

func (n *noting) saw() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return fmt.Sprint(n.seen)
}

// The flag --scheduler names any registered scheduler, of a user's program too, and it sees the priorities that the links of the command line have.
func TestBridgeGivesItsLinksToTheSchedulerOfItsFlag(t *testing.T) {
	testkit.UserFolder(t)
	system := fmt.Sprintf("bridge-flag-%d", os.Getpid())
	local, err := shm.New(system)
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	t.Cleanup(func() { shm.Clean(system) })

	carrier, scheduler := udp.Carrier(), &noting{seen: map[string]int{}}
	station, err := remote.Open(carrier, remote.Config{Name: "desk", Local: "127.0.0.1:0", Insecure: true})
	if err != nil {
		t.Fatal(err)
	}
	defer station.Close()
	if _, err := station.Peer(remote.PeerConfig{Name: "robot"}); err != nil {
		t.Fatal(err)
	}
	open := carrier.Open
	carrier.Name, carrier.Open = "full", func(address string) (link.Datagrams, error) {
		d, err := open(address)
		return full{d}, err
	}
	registry := block.NewRegistry(Links(), []block.Entry{block.Carrier(carrier), block.Scheduler(link.Scheduler{Name: "noting", Next: scheduler.next})})
	cmd := bridgeCommand(registry)
	cmd.SetArgs([]string{system, "image -> desk:image", "{link: pose -> desk:pose, priority: 9}", "--scheduler", "noting",
		"--name", "robot", "--network", "full", "--listen", "127.0.0.1:0", "--insecure", "--peer", "desk=" + station.Addr().String()})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- cmd.ExecuteContext(ctx) }()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()

	var ends []link.Sender
	for _, name := range []string{"image", "pose"} {
		tx, err := local.Send(link.Spec{Name: name, Size: 1000})
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Close()
		ends = append(ends, tx)
	}
	testkit.Await(t, "both links wait for room", func() bool {
		for _, tx := range ends {
			if err := tx.Send(make([]byte, 1000)); err != nil {
				t.Fatal(err)
			}
		}
		return scheduler.saw() == "map[image:0 pose:9]"
	})
}

func TestBridgeRefusesSchedulersAndPrioritiesWithoutEffect(t *testing.T) {
	testkit.UserFolder(t)
	pose, peer := "pose -> desk:pose", []string{"--insecure", "--listen", "127.0.0.1:0", "--peer", "desk=127.0.0.1:9"}
	for _, c := range []struct {
		link string
		args []string
		want string
	}{
		{pose, append(peer, "--scheduler", "priorty"), `scheduler "priorty": this command has no scheduler of that name; did you mean "priority"?`},
		{"pose -> copy", []string{"--scheduler", "priority"}, `scheduler "priority": it orders links to another host, and this bridge has none: add --peer NAME=ADDRESS,KEY`},
		{"{link: pose -> desk:pose, priority: 9}", peer, "the scheduler round_robin does not heed the priority 9: add --scheduler priority"},
		{"{link: pose -> desk:pose, priority: 100}", append(peer, "--scheduler", "priority"), "priority 100: wants 0 to 99, the most urgent"},
		{"{link: pose -> desk:pose, rank: 9}", append(peer, "--scheduler", "priority"), "wants {link: FROM -> TO, priority: 0 to 99}"},
	} {
		cmd := bridgeCommand(block.NewRegistry(Links()))
		cmd.SetArgs(append([]string{"bridge-refused", c.link}, c.args...))
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want one with %s", append([]string{c.link}, c.args...), err, c.want)
		}
	}
}

func TestShellCompletesSchedulersAndCarriersOfABridge(t *testing.T) {
	for flag, want := range map[string]string{"--scheduler": "priority\nround_robin\n", "--network": "serial\ntcp\nudp\n"} {
		cmd, out := bridgeCommand(block.NewRegistry(Links())), &bytes.Buffer{}
		cmd.SetOut(out)
		cmd.SetErr(io.Discard)
		cmd.SetArgs([]string{"__complete", "lab", "a -> desk:a", flag, ""})
		if err := cmd.Execute(); err != nil || !strings.HasPrefix(out.String(), want) {
			t.Errorf("%s: %q, %v, want %q", flag, out, err, want)
		}
	}
}
