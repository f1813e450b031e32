package fleet_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

// ground is a user of this host with folders of its own. Whatever it starts inherits the variable TMPDIR, by which the tests
// find it without asking sinew.
type ground struct {
	t      *testing.T
	sinew  string
	tmp    string
	dir    string // in which the commands are given; "": that of the test
	system string
}

// newGround is newOwnGround for a test that does nothing else meanwhile: the whole process takes the user's folders for its own.
func newGround(t *testing.T, file string) *ground {
	t.Helper()
	g := newOwnGround(t, file)
	t.Chdir(g.dir)
	t.Setenv("TMPDIR", g.tmp)
	return g
}

// newOwnGround returns a user with a system file in which SYSTEM stands for a name that no other test has.
func newOwnGround(t *testing.T, file string) *ground {
	t.Helper()
	sinew, err := buildSinew()
	if err != nil {
		t.Fatal(err)
	}
	tmp, err := os.MkdirTemp("", "kl") // paths of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	g := &ground{t: t, sinew: sinew, tmp: tmp, dir: t.TempDir(), system: "k" + filepath.Base(tmp)[2:]}
	t.Cleanup(func() {
		for _, p := range g.alive() {
			_ = syscall.Kill(p.pid, syscall.SIGKILL)
		}
		for _, path := range g.memory() {
			_ = os.RemoveAll(path)
		}
		_ = os.RemoveAll(tmp)
	})
	if err := os.WriteFile(filepath.Join(g.dir, "system.yaml"), []byte(strings.ReplaceAll(file, "SYSTEM", g.system)), 0o600); err != nil {
		t.Fatal(err)
	}
	return g
}

// running is a process as the kernel shows it.
type running struct {
	pid     int
	command string
	role    string // of the system that is up: the name of the process, "" for what has none
}

func (p running) is(word string) bool { return strings.Contains(p.command, word) }

// alive returns the processes that this user has started, except the test.
func (g *ground) alive() (list []running) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		environment, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err != nil || pid == os.Getpid() || !slices.Contains(strings.Split(string(environment), "\x00"), "TMPDIR="+g.tmp) {
			continue
		}
		stat, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "stat"))
		if _, after, _ := strings.Cut(string(stat), ") "); after == "" || after[0] == 'Z' || after[0] == 'X' {
			continue
		}
		line, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		p := running{pid: pid, command: strings.ReplaceAll(string(line), "\x00", " ")}
		for _, v := range strings.Split(string(environment), "\x00") {
			if where, ok := strings.CutPrefix(v, "SINEW_UP="); ok {
				p.role = filepath.Base(where + ".")
				p.role = p.role[:len(p.role)-1]
			}
		}
		list = append(list, p)
	}
	return list
}

// find returns the processes whose command has all the words in it.
func (g *ground) find(words ...string) (list []running) {
	for _, p := range g.alive() {
		if !slices.ContainsFunc(words, func(w string) bool { return !p.is(w) }) {
			list = append(list, p)
		}
	}
	return list
}

// memory returns the files of shared memory of the system.
func (g *ground) memory() []string {
	paths, _ := filepath.Glob(filepath.Join(rt.SharedFolder(), g.system+"*"))
	return paths
}

// left returns what is there of the system: processes, memory, files. Logs of the test's own are not counted.
func (g *ground) left() (list []string) {
	for _, p := range g.alive() {
		list = append(list, fmt.Sprintf("process %d: %s", p.pid, p.command))
	}
	list = append(list, g.memory()...)
	_ = filepath.WalkDir(g.tmp, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, path)
		}
		return nil
	})
	return list
}

// command returns the command as the user gives it.
func (g *ground) command(args ...string) *exec.Cmd {
	cmd := exec.Command(g.sinew, args...)
	cmd.Dir, cmd.Env = g.dir, append(os.Environ(), "TMPDIR="+g.tmp)
	return cmd
}

// run runs the command and returns what it printed on both streams.
func (g *ground) run(args ...string) (string, error) {
	out, err := g.command(args...).CombinedOutput()
	return string(out), err
}

func (g *ground) must(args ...string) string {
	g.t.Helper()
	out, err := g.run(args...)
	if err != nil {
		g.t.Fatalf("sinew %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// begin starts the command in the background with its output in a file.
func (g *ground) begin(output string, args ...string) *exec.Cmd {
	g.t.Helper()
	file, err := os.Create(filepath.Join(g.dir, output))
	if err != nil {
		g.t.Fatal(err)
	}
	defer file.Close()
	cmd := g.command(args...)
	cmd.Stdout, cmd.Stderr = file, file
	if err := cmd.Start(); err != nil {
		g.t.Fatal(err)
	}
	return cmd
}

// await waits until so returns "", and prints what it returned last if it does not.
func (g *ground) await(what string, so func() string) {
	g.t.Helper()
	instead := "not asked"
	defer func() {
		if instead != "" {
			g.t.Logf("instead of %s:\n%s", what, instead)
		}
	}()
	testkit.Await(g.t, what, func() bool { instead = so(); return instead == "" })
}

func (g *ground) awaitAnswer() {
	g.t.Helper()
	g.await("the system answers", func() string {
		if out, err := g.run("param", "get", "wave.amplitude"); err != nil {
			return out
		}
		return ""
	})
}

func (g *ground) awaitEnd(p running) {
	g.t.Helper()
	g.await(fmt.Sprintf("process %d ends", p.pid), func() string {
		if slices.ContainsFunc(g.alive(), func(q running) bool { return q.pid == p.pid }) {
			return "it is there"
		}
		return ""
	})
}

// one returns the only process whose command has all the words in it.
func (g *ground) one(words ...string) (p running) {
	g.t.Helper()
	g.await(fmt.Sprintf("one process has %q in its command", words), func() string {
		list := g.find(words...)
		if len(list) == 1 {
			p = list[0]
			return ""
		}
		return fmt.Sprint(list)
	})
	return p
}

func (g *ground) kill(p running, s syscall.Signal) {
	g.t.Helper()
	if err := syscall.Kill(p.pid, s); err != nil {
		g.t.Fatalf("kill %d (%s): %v", p.pid, p.command, err)
	}
	switch s {
	case syscall.SIGKILL:
		g.awaitEnd(p)
	case syscall.SIGSTOP: // one of its threads takes the signal, and only then stop the others
		g.await("it stands still", func() string {
			threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", p.pid))
			for _, path := range threads {
				if stat, _ := os.ReadFile(path); !strings.Contains(string(stat), ") T ") {
					return string(stat)
				}
			}
			return ""
		})
	}
}

func (g *ground) nothingLeft() {
	g.t.Helper()
	if left := g.left(); len(left) > 0 {
		g.t.Errorf("left are:\n%s", strings.Join(left, "\n"))
	}
}

// family is a system of three processes. The foreign program leaves a child in its group and one in a session of its own.
const family = `
system: SYSTEM
threads: {main: {period: 2ms}, second: {period: 2ms}}
blocks:
  wave:  {type: flow.Wave, thread: main}
  gain:  {type: flow.Gain, thread: second}
  plant: {run: [sh, -c, "sleep 10001 & setsid sh -c 'sleep 10002; :' & exec sleep 10003"], in: [u]}
links: [wave.out -> gain.in, gain.out -> plant.u]
deploy:
  processes:
    main:   {restart: always}
    second: {threads: [second]}
    plant:  {restart: on_failure, needs: [main]}
`

// state is a line of ps --json.
type state struct {
	Name, State, Note string
	PID               int
}

func (g *ground) ps() ([]state, string) {
	out, err := g.command("ps", g.system, "--json").Output()
	var list struct{ Processes []state }
	_ = json.Unmarshal(out, &list)
	return list.Processes, fmt.Sprint(err, string(out))
}

// truth compares what ps shows with what the kernel reports, and returns the difference.
func (g *ground) truth() string {
	states, out := g.ps()
	alive := g.alive()
	for _, s := range states {
		runs := slices.ContainsFunc(alive, func(p running) bool { return p.pid == s.PID && p.role == s.Name })
		if shown := s.PID != 0; shown != runs {
			return fmt.Sprintf("ps shows %s as %s in process %d, which is wrong\n%s%v", s.Name, s.State, s.PID, out, alive)
		}
	}
	for _, p := range alive {
		shown := slices.ContainsFunc(states, func(s state) bool { return s.Name == p.role && (s.PID != 0 || s.Note != "") })
		if p.role != "" && !shown {
			return fmt.Sprintf("ps does not show process %d (%s) of %s, which runs\n%s", p.pid, p.command, p.role, out)
		}
	}
	return ""
}
