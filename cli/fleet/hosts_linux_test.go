package fleet_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/internal/testkit/hosts"
)

// rig is a network of hosts with the command that a user has.
type rig struct {
	*hosts.Network
	t     *testing.T
	sinew string
	dir   string
	repo  string
}

var buildSinew = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "sinew-command")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "sinew")
	out, err := exec.Command("go", "build", "-o", path, "../../cmd/sinew").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func newRig(t *testing.T, names ...string) *rig {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED by -short: hosts of its own take some seconds")
	}
	r := &rig{Network: hosts.Start(t, names...), t: t, dir: t.TempDir()}
	var err error
	if r.sinew, err = buildSinew(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // what a script has left in the background, or a supervisor that does not end
		_, err := proc.End(func() []*proc.Process {
			return proc.Marked("TMPDIR", func(folder string) bool { return folder == r.User })
		}, 0)
		if err != nil {
			t.Error(err)
		}
	})
	t.Setenv("TMPDIR", r.User)
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("SINEW_SHM", testkit.SharedFolder(t))
	t.Setenv("SINEW_SSH", r.SSH)
	if r.repo, err = filepath.Abs("../.."); err != nil {
		t.Fatal(err)
	}
	t.Chdir(r.dir)
	return r
}

// run runs the command and returns what it printed on both streams.
func (r *rig) run(args ...string) (string, error) {
	out, err := exec.Command(r.sinew, args...).CombinedOutput()
	return string(out), err
}

func (r *rig) must(args ...string) string {
	r.t.Helper()
	out, err := r.run(args...)
	if err != nil {
		r.t.Fatalf("sinew %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// refuse runs a command that must fail and say so in these words.
func (r *rig) refuse(words string, args ...string) {
	r.t.Helper()
	out, err := r.run(args...)
	if err == nil || !strings.Contains(out, words) {
		r.t.Errorf("sinew %s: %v, wants an error that contains %q\n%s", strings.Join(args, " "), err, words, out)
	}
}

// up starts a system, which is down when the test ends.
func (r *rig) up(system string, args ...string) {
	r.t.Helper()
	r.t.Cleanup(func() {
		if r.t.Failed() {
			out, _ := r.run("logs", system)
			r.t.Logf("logs of %s:\n%s", system, out[max(0, len(out)-4000):])
		}
		_, _ = r.run("down", system)
	})
	r.must(append([]string{"up"}, args...)...)
}

func (r *rig) write(name, text string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// eventually waits until so reports true, and fails with what it found instead if that takes too long.
func (r *rig) eventually(what string, so func() (bool, string)) {
	r.t.Helper()
	patience := 4 * testkit.Patience() // one machine plays all hosts
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		ok, instead := so()
		if ok {
			return
		}
		if time.Since(begin) > patience {
			r.t.Fatalf("it did not happen in %v that %s; instead:\n%s", patience, what, instead)
		}
	}
}

// process is a line of ps --json.
type process struct {
	Name, Host, State string
	PID               int
	Restarts          int
	Exit              string
}

func (r *rig) ps(system string) map[string]process {
	r.t.Helper()
	var list struct{ Processes []process }
	if err := json.Unmarshal([]byte(r.must("ps", system, "--json")), &list); err != nil {
		r.t.Fatal(err)
	}
	all := map[string]process{}
	for _, p := range list.Processes {
		all[p.Host+"/"+p.Name] = p
	}
	return all
}

// awaitRunning waits until all processes of a system run.
func (r *rig) awaitRunning(system string) map[string]process {
	r.t.Helper()
	var all map[string]process
	r.eventually("all processes run", func() (bool, string) {
		all = r.ps(system)
		for _, p := range all {
			if p.State != "running" {
				return false, fmt.Sprint(all)
			}
		}
		return true, ""
	})
	return all
}

func (r *rig) hostNamed(name string) *hosts.Host {
	r.t.Helper()
	i := slices.IndexFunc(r.Hosts, func(h *hosts.Host) bool { return h.Name == name })
	if i < 0 {
		r.t.Fatalf("no host %q", name)
	}
	return r.Hosts[i]
}

// on runs a shell command on a host.
func (r *rig) on(host, command string) string {
	r.t.Helper()
	out, err := r.hostNamed(host).Run(command)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	return out
}

// clean fails where a host has processes or files left over.
func (r *rig) clean() {
	r.t.Helper()
	for _, h := range r.Hosts {
		if left := r.on(h.Name, "pgrep -a sinew; pgrep -a plant; find /dev/shm /tmp -type f -o -type s"); left != "" {
			r.t.Errorf("on %s is left:\n%s", h.Name, left)
		}
	}
}

// pair is a system of which one host generates and the other controls.
const pair = `
system: pair
threads: {ref: {period: 2ms}, ctl: {period: 2ms}}
blocks:
  wave: {type: flow.Wave, thread: ref, params: {frequency: 1}}
  pid:  {type: servo.PID, thread: ctl, params: {kp: 1, min: -9, max: 9}}
links: [wave.out -> pid.ref, wave.out -> pid.sen]
deploy:
  hosts: {left: {ssh: left}, right: {ssh: right}}
  processes:
    gen: {host: left, threads: [ref], restart: always}
    con: {host: right, threads: [ctl], needs: [gen], restart: always}
`

// TestFourLanguagesRunOnTwoHosts is the example: a controller in Go and a plant in C on one host, a generator in Octave and a
// viewer in Python on the other.
func TestFourLanguagesRunOnTwoHosts(t *testing.T) {
	r := newRig(t, "robot", "desk")
	r.foreignExample(true)
	r.up("four", "examples/foreign/four-languages.yaml", "--deploy", "examples/foreign/two-hosts.yaml")
	follows := func() {
		t.Helper()
		r.eventually("the plant goes to and fro", func() (bool, string) {
			out := r.must("logs", "four", "viewer")
			lines := strings.Split(out, "\n")
			out = strings.Join(lines[max(0, len(lines)-60):], "\n")
			return strings.Contains(out, "0.6") && strings.Contains(out, "0.3"), out
		})
	}
	follows()
	before := r.awaitRunning("four")

	// A killed process comes back, a killed bridge too.
	for _, p := range []struct{ host, name, kill string }{
		{"robot", "plant", "pkill -9 -x plant"}, {"robot", "bridge", "pkill -9 -f '[s]inew bridge'"}, {"desk", "bridge", "pkill -9 -f '[s]inew bridge'"},
	} {
		r.on(p.host, p.kill)
		key := p.host + "/" + p.name
		r.eventually(key+" is started again", func() (bool, string) {
			now := r.ps("four")
			return now[key].Restarts > before[key].Restarts && now[key].State == "running", fmt.Sprint(now)
		})
	}
	count := func() int { return strings.Count(r.must("logs", "four", "viewer"), "\n") }
	flows := func(after string) {
		t.Helper()
		begin := count()
		r.eventually("the viewer sees the plant after "+after, func() (bool, string) { return count() > begin+3, fmt.Sprint(begin) })
	}
	flows("kills")

	// The cable is out for three seconds and back.
	robot := r.Hosts[0]
	robot.Unplug()
	time.Sleep(3 * time.Second)
	robot.Plug()
	flows("the cable was out")
	r.awaitRunning("four")

	// One process is stopped and the others go on.
	r.must("down", "four", "viewer")
	if p := r.ps("four")["desk/viewer"]; p.State != "stopped" {
		t.Errorf("the viewer is %s", p.State)
	}
	begin := time.Now()
	r.must("down", "four")
	t.Logf("down took %v", time.Since(begin))
	r.clean()
	r.refuse("is not up", "ps", "four")
}

func shell(t *testing.T, script string) {
	t.Helper()
	if out, err := exec.Command("sh", "-ec", script).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
}

// killSupervisor kills the supervisor of the local host.
func (r *rig) killSupervisor() {
	r.t.Helper()
	if !r.kill(victim{pattern: "supervise"}) {
		r.t.Fatal("no supervisor runs on the local host")
	}
}

// TestToolsReachOtherHosts looks into a system of two hosts, and steers it, from a third: one system, whatever runs where.
func TestToolsReachOtherHosts(t *testing.T) { hosts.EachWay(t, toolsReachOtherHosts) }

func toolsReachOtherHosts(t *testing.T) {
	r := newRig(t, "left", "right")
	r.write("pair.yaml", strings.Replace(pair, "ctl: {period: 2ms}", "ctl: {period: 4ms, follow: ref}", 1))
	r.up("pair", "pair.yaml")
	r.awaitRunning("pair")
	if sockets, _ := filepath.Glob(filepath.Join(r.User, "sinew*", "ssh", "*")); len(sockets) > 0 != r.Kept {
		t.Fatalf("ssh keeps the connections %v, want kept: %v", sockets, r.Kept)
	}
	if out := r.must("param", "set", "pid.kp=3"); !strings.Contains(r.must("param", "get", "pid.kp"), "3") {
		t.Errorf("a parameter of another host was not set: %s", out)
	}
	if out := r.must("tap", "wave.out", "--count", "3"); strings.Count(out, "\n") < 3 {
		t.Errorf("a tap on another host: %s", out)
	}
	var list []struct {
		Threads []struct {
			Name, Process, Host string
			Pace                *struct {
				Locked bool
				Phase  struct {
					P50 int64 `json:"p50_ns"`
					Max int64 `json:"max_ns"`
				}
			}
		}
		Links []struct {
			Name, From, To string
			Connected      bool
			Packets        uint64
		}
	}
	r.eventually("the thread of one host follows that of the other", func() (bool, string) {
		out, err := r.run("top", "--json")
		if err != nil || json.Unmarshal([]byte(out), &list) != nil || len(list) != 1 {
			return false, fmt.Sprint(err, out)
		}
		for _, th := range list[0].Threads {
			if th.Name == "ctl" && th.Pace != nil && th.Pace.Locked && th.Pace.Phase.Max > 0 {
				if p := th.Pace.Phase; p.P50 <= 0 || p.P50 > p.Max { // how small it is, is no matter of a test
					r.t.Errorf("a thread that follows has the phase %+v", p)
				}
				return true, ""
			}
		}
		return false, out
	})
	crossing := 0
	for _, l := range list[0].Links {
		if l.Connected && l.Packets > 0 && (l.From == "left" || l.To == "right") {
			crossing++
		}
	}
	if crossing < 2 {
		t.Errorf("top shows %d ends of links between the hosts: %+v", crossing, list[0].Links)
	}
	r.on("left", "pkill -9 -f '[s]inew hub'") // the NATS server of a host
	r.eventually("the tools reach the host again", func() (bool, string) {
		out, err := r.run("param", "get", "wave.amplitude")
		return err == nil, out
	})
	if p := r.ps("pair")["left/gen"]; p.Restarts != 0 {
		t.Errorf("the generator was started %d times again when the NATS server died", p.Restarts)
	}
	r.awaitRunning("pair") // the local host may not know yet that the server runs again
	r.must("down", "pair", "con")
	r.must("up", "pair.yaml", "con")
	r.awaitRunning("pair")
}

// TestSystemSurvivesKilledSupervisors kills the supervisor of the local host, then that of another: everything goes on, and new ones take it up.
func TestSystemSurvivesKilledSupervisors(t *testing.T) {
	r := newRig(t, "left", "right")
	r.write("pair.yaml", pair)
	r.up("pair", "pair.yaml")
	before := r.awaitRunning("pair")
	r.refuse("is up already", "up", "pair.yaml")
	r.killSupervisor()
	if out := r.on("right", "pgrep -c -f '[c]ore/sinew'"); strings.TrimSpace(out) != "1" {
		t.Errorf("the core of the other host ended with the console: %s", out)
	}
	r.refuse("no supervisor", "ps", "pair")
	same := func(which string) {
		t.Helper()
		for name, p := range r.awaitRunning("pair") {
			if p.PID != before[name].PID {
				t.Errorf("after the death of %s supervisor %s is process %d, was %d", which, name, p.PID, before[name].PID)
			}
		}
	}
	r.must("up", "pair.yaml")
	same("the local")
	r.on("right", "pkill -9 -f '[s]inew supervise'")
	r.eventually("the host has a supervisor again", func() (bool, string) {
		out := r.on("right", "pgrep -c -f '[s]inew supervise'")
		return strings.TrimSpace(out) == "1", out
	})
	same("the other host's")
	r.must("down", "pair")
	r.clean()
}

// TestHostReturnsAfterAPowerCut cuts the power of a host and gives it back.
func TestHostReturnsAfterAPowerCut(t *testing.T) {
	r := newRig(t, "left", "right")
	r.write("pair.yaml", pair)
	r.up("pair", "pair.yaml")
	r.awaitRunning("pair")
	right := r.Hosts[1]
	right.Halt()
	r.eventually("ps shows the host as unreachable", func() (bool, string) {
		all := r.ps("pair")
		return all["right/con"].State == "unreachable" && all["left/gen"].State == "running", fmt.Sprint(all)
	})
	right.Boot()
	r.awaitRunning("pair")
	right.Halt()
	r.refuse(`host "right"`, "down", "pair")
	r.must("down", "pair", "--force")
	right.Boot()
	r.clean()
}

// TestHostIsReachedAgainAfterItsCableWasOut pulls the cable of a host until the connection to it is given up: what runs there goes on,
// and the supervisor connects again.
func TestHostIsReachedAgainAfterItsCableWasOut(t *testing.T) {
	hosts.EachWay(t, func(t *testing.T) {
		r := newRig(t, "left", "right")
		r.write("pair.yaml", pair)
		r.up("pair", "pair.yaml")
		before := r.awaitRunning("pair")
		right := r.Hosts[1]
		right.Unplug()
		r.eventually("ps shows the host as unreachable", func() (bool, string) {
			all := r.ps("pair")
			return all["right/con"].State == "unreachable" && all["left/gen"].State == "running", fmt.Sprint(all)
		})
		right.Plug()
		for name, p := range r.awaitRunning("pair") {
			if p.PID != before[name].PID {
				t.Errorf("after the cut %s is process %d, was %d", name, p.PID, before[name].PID)
			}
		}
		log := r.must("logs", "pair", "supervisor")
		if n := strings.Count(log, `host "right" is reached again`); n != 1 {
			t.Errorf("the supervisor has reported %d times that it reaches the host again:\n%s", n, log)
		}
		if out := r.must("param", "get", "pid.kp"); !strings.Contains(out, "1") {
			t.Errorf("a tool reads from the host: %s", out)
		}
		r.must("down", "pair")
		r.clean()
	})
}

// TestDeadManStopsAHostWithoutSupervisor takes the local host away from one that does not want to go on alone.
func TestDeadManStopsAHostWithoutSupervisor(t *testing.T) {
	r := newRig(t, "left", "right")
	r.write("pair.yaml", strings.Replace(pair, "right: {ssh: right}", "right: {ssh: right, dead_man: 20s}", 1)) // a busy machine takes long to start the host
	r.up("pair", "pair.yaml")
	r.awaitRunning("pair")
	time.Sleep(21 * time.Second)
	r.awaitRunning("pair") // it hears from the local host
	r.killSupervisor()
	r.eventually("everything stops on the host", func() (bool, string) {
		left := r.on("right", "pgrep -a sinew")
		return left == "", left
	})
	if out := r.on("left", "pgrep -c -f '[c]ore/sinew'"); strings.TrimSpace(out) != "1" {
		t.Errorf("the host without a dead-man time stopped, too: %s", out)
	}
	r.must("down", "pair")
	r.clean()
}

// TestFailedStartLeavesNothingOnAnyHost starts on hosts that are unknown, away or full: nothing stays half started.
func TestFailedStartLeavesNothingOnAnyHost(t *testing.T) {
	r := newRig(t, "left", "right")
	r.write("pair.yaml", pair)
	right := r.Hosts[1]

	r.on("right", "mkdir -p .cache && mount -t tmpfs -o size=1m tmpfs .cache")
	r.refuse("No space left on device", "up", "pair.yaml")
	r.on("right", "umount .cache")
	r.clean()

	right.Halt()
	r.refuse(`host "right" (ssh right): the host is not reached`, "up", "pair.yaml")
	right.Boot()
	r.clean()

	r.write("far.yaml", strings.Replace(pair, "right: {ssh: right}", "right: {ssh: missing.invalid}", 1))
	r.refuse("check the name in the deploy section", "up", "far.yaml")
	r.write("port.yaml", strings.Replace(strings.Replace(pair, "right: {ssh: right}", "right: {ssh: right, port: 22}", 1), "deploy:", "deploy:\n  network: tcp", 1))
	r.refuse("address in use by process", "up", "port.yaml")
	r.clean()

	r.write("arm.yaml", strings.Replace(pair, "right: {ssh: right}", "right: {ssh: right, binary: pair.yaml}", 1))
	r.refuse("is no program for Linux", "up", "arm.yaml")
	if out, err := r.run("ps"); err != nil || strings.Contains(out, "pair") {
		t.Errorf("a system that could not start is listed: %v\n%s", err, out)
	}
}

// TestHostWithUnverifiedKeyIsRejected rejects a host whose key is not verified.
func TestHostWithUnverifiedKeyIsRejected(t *testing.T) {
	r := newRig(t, "left", "right")
	r.Distrust()
	r.write("pair.yaml", pair)
	r.refuse("is not among your known hosts", "up", "pair.yaml")
}

// TestTwentyProcessesRunOnThreeHosts brings up twenty processes on three hosts.
func TestTwentyProcessesRunOnThreeHosts(t *testing.T) {
	r := newRig(t, "a", "b", "c")
	var threads, blocks, processes strings.Builder
	for i := range 20 {
		fmt.Fprintf(&threads, "  t%d: {period: 10ms}\n", i)
		fmt.Fprintf(&blocks, "  wave%d: {type: flow.Wave, thread: t%d}\n", i, i)
		fmt.Fprintf(&processes, "    p%d: {host: %c, threads: [t%d]}\n", i, 'a'+i%3, i)
	}
	r.write("twenty.yaml", "system: twenty\nthreads:\n"+threads.String()+"blocks:\n"+blocks.String()+
		"deploy:\n  hosts: {a: {ssh: a}, b: {ssh: b}, c: {ssh: c}}\n  processes:\n"+processes.String())
	r.up("twenty", "twenty.yaml")
	r.must("down", "twenty")
	begin := time.Now()
	r.must("up", "twenty.yaml")
	up := time.Since(begin)
	if n := len(r.awaitRunning("twenty")); n < 20 {
		t.Errorf("%d processes run", n)
	}
	begin = time.Now()
	r.must("down", "twenty")
	t.Logf("up of 20 processes on three hosts took %v, down %v", up, time.Since(begin))
	r.clean()
}
