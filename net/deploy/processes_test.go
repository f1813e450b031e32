package deploy

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/private"
)

// trapping returns a process that writes its name to the file order when it is asked to end. It runs when it can be asked.
func trapping(name string, needs ...string) PlannedProcess {
	script := "trap 'echo " + name + " >> order; exit' TERM; echo asked from now on; while :; do sleep 0.02; done"
	return PlannedProcess{Name: name, Command: []string{script}, Needs: needs, Restart: "always", ReadyLine: "asked from now on"}
}

// chain is three processes, each of which needs the one before, and one that needs none.
func chain() []PlannedProcess {
	return []PlannedProcess{trapping("viewer", "controller"), trapping("controller", "plant"), trapping("plant"), trapping("other")}
}

func fails(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("the error is %v; wants %q in it", err, w)
		}
	}
}

// A process that others need is stopped only with them, after them. A stopped process is not restarted by its policy.
func TestStopLooksAtDependants(t *testing.T) {
	c := supervise(t, chain()...)
	names := []string{"viewer", "controller", "plant"}
	for _, name := range names {
		await(t, c, name, Running, nil)
	}
	fails(t, c.StopProcesses(false, "plant"), "stop plant: other processes need it: viewer, controller;", "sinew down test plant --dependants")
	fails(t, c.StopProcesses(false, "other", "vewer"), `no process "vewer"; did you mean "viewer"?`)
	for _, name := range append(names, "other") {
		await(t, c, name, Running, nil)
	}
	if err := c.StopProcesses(true, "plant"); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if s := await(t, c, name, Stopped, nil); s.PID != 0 || s.Restarts != 0 {
			t.Errorf("it is %+v", s)
		}
	}
	if text, err := os.ReadFile(filepath.Join(filepath.Dir(c.Folder), "order")); err != nil || strings.Join(strings.Fields(string(text)), " ") != "viewer controller plant" {
		t.Errorf("they stopped in the order %q, %v", text, err)
	}
	if text, err := private.Read(filepath.Join(c.Folder, stoppedName)); err != nil || string(text) != `["controller","plant","viewer"]` {
		t.Errorf("the file of what is stopped has %s, %v", text, err)
	}
	await(t, c, "other", Running, nil)

	// The needs of a process are started with it.
	if err := c.StartProcesses("controller"); err != nil {
		t.Fatal(err)
	}
	await(t, c, "controller", Running, nil)
	await(t, c, "plant", Running, nil)
	await(t, c, "viewer", Stopped, nil)
	if text, err := private.Read(filepath.Join(c.Folder, stoppedName)); err != nil || string(text) != `["viewer"]` {
		t.Errorf("the file of what is stopped has %s, %v", text, err)
	}
	fails(t, c.StartProcesses("plnt"), `no process "plnt"; did you mean "plant"?`)
	if err := c.StopProcesses(false, "controller"); err != nil { // what needs it is stopped already
		t.Error(err)
	}
}

// The name of an included system stands for all of its processes: they stop after those that need them, and start together.
func TestIncludedSystemStopsAndStartsByItsName(t *testing.T) {
	processes := chain()
	for _, i := range []int{1, 2} { // controller and plant
		processes[i].Subsystems = []string{"robot"}
	}
	c := supervise(t, processes...)
	for _, p := range processes {
		await(t, c, p.Name, Running, nil)
	}
	fails(t, c.StopProcesses(false, "robot"), "stop controller, plant: other processes need it: viewer;", "sinew down test controller plant --dependants")
	fails(t, c.StopProcesses(false, "robt"), `no process "robt"; did you mean "robot"?`)
	if err := c.StopProcesses(true, "robot"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"viewer", "controller", "plant"} {
		await(t, c, name, Stopped, nil)
	}
	await(t, c, "other", Running, nil)
	if err := c.StartProcesses("robot"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"controller", "plant"} {
		await(t, c, name, Running, nil)
	}
	await(t, c, "viewer", Stopped, nil)
}

// A process that had ended when it was stopped is shown as stopped, and starts again on request only.
func TestStoppedProcessHadEndedBefore(t *testing.T) {
	c := supervise(t, PlannedProcess{Name: "once", Command: []string{"exit 3"}, Restart: "never"})
	await(t, c, "once", Failed, nil)
	if err := c.StopProcesses(false, "once"); err != nil {
		t.Fatal(err)
	}
	await(t, c, "once", Stopped, nil)
	if err := c.StartProcesses("once"); err != nil {
		t.Fatal(err)
	}
	await(t, c, "once", Failed, nil)
}

// A new supervisor leaves stopped what an operator has stopped, with what needs it, and ends what is left of it. Without a supervisor the
// client notes it for the next one.
func TestNewSupervisorLeavesStopped(t *testing.T) {
	dir, err := os.MkdirTemp("", "sup") // paths of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	folder := filepath.Join(dir, "up")
	plan := &Plan{System: "up", Host: "local", Dir: dir, Processes: chain()} // a system has the name of its folder
	for i := range plan.Processes {
		plan.Processes[i].Command = append([]string{"sh", "-c"}, plan.Processes[i].Command...)
	}
	c := Client{Folder: folder}
	save(t, plan, folder)
	fails(t, c.StopProcesses(false, "plnt"), `no process "plnt"; did you mean "plant"?`)
	if err := c.StopProcesses(false, "plant"); err != nil { // nothing runs
		t.Fatal(err)
	}
	if all, _ := c.Orphans("up"); !slices.ContainsFunc(all, func(s Status) bool { return s.Name == "plant" && s.State == Stopped }) {
		t.Errorf("without a supervisor the processes are %+v", all)
	}
	left := exec.Command("sleep", "1000")
	left.Env = mark(folder, "plant")
	if err := left.Start(); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- left.Wait() }()
	c = superviseIn(t, plan, folder)
	await(t, c, "other", Running, nil)
	if err := <-ended; err == nil {
		t.Error("what is left of the stopped process has ended with exit code 0")
	}
	for _, name := range []string{"plant", "controller", "viewer"} {
		await(t, c, name, Stopped, func(s Status) bool { return s.PID == 0 })
	}
	if err := c.StartProcesses("viewer"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"plant", "controller", "viewer"} {
		await(t, c, name, Running, nil)
	}
}

// A supervisor does not start anything while it cannot read what is stopped.
func TestSupervisorRefusesABrokenListOfStopped(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "up")
	plan := &Plan{System: "up", Host: "local", Processes: []PlannedProcess{{Name: "a", Command: []string{"true"}, Restart: "never"}}}
	save(t, plan, folder)
	for _, text := range []string{"", "{}", `["b"]`} {
		if err := private.Write(filepath.Join(folder, stoppedName), []byte(text)); err != nil {
			t.Fatal(err)
		}
		fails(t, Supervise(t.Context(), plan, folder, unheard), stoppedName, "remove the file to start all")
	}
}

// FuzzStopped reads any text as the list of stopped processes.
func FuzzStopped(f *testing.F) {
	for _, text := range []string{"", "null", `["a"]`, `["a","a","b"]`, `[3]`, `{"a":1}`} {
		f.Add([]byte(text))
	}
	plan := &Plan{System: "s", Processes: []PlannedProcess{{Name: "a"}, {Name: "c"}}}
	f.Fuzz(func(t *testing.T, text []byte) {
		names, err := parseStopped(text, plan)
		if err == nil && len(plan.among(names)) != len(names) {
			t.Errorf("%s is %q, which are not all in the plan", text, names)
		}
	})
}

// Plans of two loads of the same files are the same, and differences are named.
func TestChangesOfPlansAreNamed(t *testing.T) {
	plan := func(change func(*Plan)) *Plan {
		p := &Plan{System: "s", Host: "local", Dir: "/robot", Origin: &Origin{File: "/robot/s.yaml", Files: map[string]string{"/robot/s.yaml": "1", "/lib/base.yaml": "1"}},
			Processes: []PlannedProcess{{Name: "a", Command: []string{"x"}}, {Name: "b", Command: []string{"y"}, Restart: "never"}},
			Remotes:   []RemotePlan{{Plan: Plan{Host: "desk", Processes: []PlannedProcess{{Name: "c"}}}}}}
		change(p)
		return p
	}
	before := plan(func(*Plan) {})
	if list := before.changes(plan(func(*Plan) {})); list != nil {
		t.Errorf("the same plan has changed: %q", list)
	}
	after := plan(func(p *Plan) {
		p.Origin.Options = []string{"--param", "k=2"}
		p.Origin.Files = map[string]string{"/robot/s.yaml": "2", "/robot/parts/new.yaml": "1"}
		p.Processes[0].Command, p.Processes[0].Needs = []string{"z"}, []string{"b"}
		p.Processes[1].Name = "d"
	})
	want := []string{"it was started by sinew up /robot/s.yaml", "file parts/new.yaml is read in addition", "file s.yaml has changed", "file /lib/base.yaml is no longer read",
		`process "a" on local has another command, needs`, `process "d" on local is new`, `process "b" on local is gone`}
	if list := before.changes(after); !slices.Equal(list, want) {
		t.Errorf("the changes are %q, want %q", list, want)
	}
}

// Processes stop in the order of their needs, also where some between them go on.
func TestStopOrderFollowsAllNeeds(t *testing.T) {
	plan := &Plan{Processes: append(chain(), PlannedProcess{Name: "control"})}
	for i := range plan.Processes[:4] {
		plan.Processes[i].Needs = append(plan.Processes[i].Needs, "control")
	}
	if groups := plan.stopOrder([]string{"plant", "control", "viewer"}); !slices.EqualFunc(groups, [][]string{{"viewer"}, {"plant"}, {"control"}}, slices.Equal) {
		t.Errorf("the order is %q", groups)
	}
	if names := plan.needs([]string{"viewer"}); !slices.Equal(names, []string{"controller", "control", "plant"}) {
		t.Errorf("the viewer needs %q", names)
	}
}

// A process of the local host waits for those that it needs on another host, and starts when they run.
func TestLocalProcessNeedsOneOfAnotherHost(t *testing.T) {
	s := &supervisor{states: map[string]*Status{}, plan: &Plan{System: "s", Host: "local",
		Remotes: []RemotePlan{{Plan: Plan{Host: "desk", Processes: []PlannedProcess{{Name: "plant"}}}}}}}
	desk := newRemoteHost(s, &s.plan.Remotes[0])
	s.remotes = []*remoteHost{desk}
	if s.fulfilled("plant") {
		t.Error("the plant has not started")
	}
	desk.states[0].State = Running
	if !s.awaitNeeds(t.Context(), &PlannedProcess{Name: "viewer", Needs: []string{"plant"}}) {
		t.Error("the viewer does not start")
	}
}

// save writes a plan as up does.
func save(t *testing.T, plan *Plan, folder string) {
	t.Helper()
	text, err := json.Marshal(plan)
	if err := errors.Join(err, private.Make(folder)); err != nil {
		t.Fatal(err)
	}
	if err := private.Write(filepath.Join(folder, planName), text); err != nil {
		t.Fatal(err)
	}
}
