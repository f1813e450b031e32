package fleet_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

const lonely = `
system: SYSTEM
threads: {main: {period: 1ms}}
blocks: {wave: {type: flow.Wave}}
`

// TestToolsFindACoreThatLostItsFront kills the front of a run: ps and top report that its core goes on and what to do, and down
// ends it.
func TestToolsFindACoreThatLostItsFront(t *testing.T) {
	g := newGround(t, lonely)
	front := g.begin("run.log", "run", "system.yaml", "--quiet")
	g.awaitAnswer()
	if out := g.must("ps"); !strings.Contains(out, g.system) || !strings.Contains(out, "running") {
		t.Errorf("ps does not show a system that runs:\n%s", out)
	}
	_ = front.Process.Kill()
	_ = front.Wait()
	core := g.one("core/")
	for _, verb := range []string{"ps", "top"} {
		out := g.must(verb)
		for _, words := range []string{"no front: commands go on", "`sinew attach " + g.system + "` takes it up", "`sinew down " + g.system + "` ends it", strconv.Itoa(core.pid)} {
			if !strings.Contains(out, words) {
				t.Errorf("%s does not say %q:\n%s", verb, words, out)
			}
		}
	}
	var list []struct{ Orphans []struct{ PID int } }
	if out := g.must("top", "--json"); json.Unmarshal([]byte(out), &list) != nil || len(list) != 1 || len(list[0].Orphans) != 1 || list[0].Orphans[0].PID != core.pid {
		t.Errorf("top --json does not name the core: %s", out)
	}
	if out, err := g.run("param", "get", "wave.amplitude"); err == nil || !strings.Contains(out, "sinew attach") {
		t.Errorf("a tool that asks the front reports: %v %s", err, out)
	}
	g.must("down", g.system)
	g.nothingLeft()
	if out, err := g.run("down", g.system); err == nil || !strings.Contains(out, "is not up") {
		t.Errorf("down of what is down: %v %s", err, out)
	}
}

// TestDownStopsARun stops what sinew run has started, in order.
func TestDownStopsARun(t *testing.T) {
	for _, flags := range [][]string{nil, {"--one-process"}} {
		g := newGround(t, lonely)
		front := g.begin("run.log", append([]string{"run", "system.yaml", "--quiet"}, flags...)...)
		g.awaitAnswer()
		g.must("down", g.system)
		if err := front.Wait(); err != nil {
			t.Errorf("the run ended with %v", err)
		}
		if text, _ := os.ReadFile("run.log"); !strings.Contains(string(text), g.system+" ran") {
			t.Errorf("the run did not end in order:\n%s", text)
		}
		g.nothingLeft()
	}
}

// TestSecondInterruptEndsAHungCore stops a core from computing: the first Ctrl-C waits for it, and prints how to end it; the
// second ends it.
func TestSecondInterruptEndsAHungCore(t *testing.T) {
	g := newGround(t, lonely)
	front := g.begin("run.log", "run", "system.yaml", "--quiet")
	g.awaitAnswer()
	core := g.one("core/")
	g.kill(core, syscall.SIGSTOP)
	prints := func(words string) {
		t.Helper()
		g.await("the run prints "+words, func() string {
			if text, _ := os.ReadFile("run.log"); !strings.Contains(string(text), words) {
				return string(text) + "?"
			}
			return ""
		})
	}
	_ = front.Process.Signal(os.Interrupt)
	prints("a second Ctrl-C ends it by force")
	if len(g.find("core/")) != 1 {
		t.Error("one Ctrl-C killed the core")
	}
	_ = front.Process.Signal(os.Interrupt)
	if err := front.Wait(); err == nil {
		t.Error("the exit code is 0, though the core was ended by force")
	}
	prints(fmt.Sprintf("its core (process %d) is ended by force; its blocks may not have been brought to rest", core.pid))
	g.awaitEnd(core)
	g.nothingLeft()
}

// TestDownKillsAHungCore ends a core that does not end when it is asked to, with its front, without one, and in a system that
// is up, and reports it.
func TestDownKillsAHungCore(t *testing.T) {
	hang := func(g *ground) (core running) {
		core = g.one("core/")
		g.kill(core, syscall.SIGSTOP)
		return core
	}
	down := func(g *ground, core running) {
		g.t.Helper()
		out, err := g.run("down", g.system)
		if err == nil || !strings.Contains(out, fmt.Sprintf("process %d", core.pid)) || !strings.Contains(out, "was killed: its blocks may not have been brought to rest") {
			g.t.Errorf("down: %v\n%s", err, out)
		}
		g.awaitEnd(core)
	}
	t.Run("without front", func(t *testing.T) {
		t.Parallel() // each waits for the time that a core has to end
		g := newOwnGround(t, lonely)
		front := g.begin("run.log", "run", "system.yaml", "--quiet")
		g.awaitAnswer()
		core := hang(g)
		_ = front.Process.Kill()
		_ = front.Wait()
		down(g, core)
		g.nothingLeft()
	})
	t.Run("under a supervisor", func(t *testing.T) {
		t.Parallel() // each waits for the time that a core has to end
		g := newOwnGround(t, lonely)
		g.must("up", "system.yaml")
		g.awaitAnswer()
		down(g, hang(g))
		g.nothingLeft()
	})
	t.Run("asked twice", func(t *testing.T) {
		t.Parallel() // each waits for the time that a core has to end
		g := newOwnGround(t, lonely)
		g.must("up", "system.yaml")
		g.awaitAnswer()
		core := hang(g)
		first := g.begin("down.log", "down", g.system)
		g.await("the supervisor stops everything", func() string {
			if out, _ := g.run("ps", g.system); !strings.Contains(out, "is being stopped") {
				return out
			}
			return ""
		})
		_, second := g.run("down", g.system)
		if first.Wait() == nil && second == nil {
			t.Error("neither down reports that the core was killed")
		}
		g.awaitEnd(core)
		g.nothingLeft()
	})
	t.Run("without supervisor", func(t *testing.T) {
		t.Parallel() // each waits for the time that a core has to end
		g := newOwnGround(t, lonely)
		g.must("up", "system.yaml")
		g.awaitAnswer()
		core := hang(g)
		g.kill(g.one("supervise"), syscall.SIGKILL)
		down(g, core)
		g.nothingLeft()
	})
}

// TestNewSupervisorTakesUpWhatRuns kills the supervisor: everything continues to run, ps reports it, and up starts a new supervisor.
func TestNewSupervisorTakesUpWhatRuns(t *testing.T) {
	g := newGround(t, family)
	g.must("up", "system.yaml")
	g.await("all runs", g.truth)
	g.kill(g.one("supervise"), syscall.SIGKILL)
	before := g.alive()
	out, err := g.run("ps", g.system)
	if err == nil || !strings.Contains(out, "no supervisor runs: it was killed, and what it started goes on; `sinew up FILE` takes it up, `sinew down "+g.system+"` ends it") {
		t.Errorf("ps without a supervisor: %v\n%s", err, out)
	}
	g.await("ps knows of everything", g.truth)
	if out := g.must("up", "system.yaml"); !strings.Contains(out, "a new one takes up what runs") {
		t.Errorf("up prints:\n%s", out)
	}
	for _, p := range before {
		if len(g.find(p.command)) == 0 || !slices.ContainsFunc(g.alive(), func(q running) bool { return q.pid == p.pid }) {
			t.Errorf("process %d (%s) did not go on", p.pid, p.command)
		}
	}
	main := g.one(g.sinew+" run system.yaml", "--process main")
	g.kill(main, syscall.SIGKILL)
	g.await("the new supervisor starts the front again", func() string {
		if list := g.find(g.sinew+" run system.yaml", "--process main"); len(list) != 1 || list[0].pid == main.pid {
			return fmt.Sprint(list)
		}
		return ""
	})
	g.kill(g.one("sleep 10003"), syscall.SIGKILL)
	g.await("the new supervisor starts the program again, and only once", func() string {
		if list := g.find("sleep 10002", "sh -c"); len(list) != 1 {
			return fmt.Sprint(list)
		}
		return g.truth()
	})
	g.must("down", g.system)
	g.nothingLeft()
}

// TestDownEndsAllThatAKilledSupervisorLeft kills the supervisor of a system with a foreign program, whose children are in sessions of
// their own, and brings the system down without another supervisor.
func TestDownEndsAllThatAKilledSupervisorLeft(t *testing.T) {
	g := newGround(t, family)
	g.must("up", "system.yaml")
	g.await("all runs", g.truth)
	for _, sleeper := range []string{"sleep 10001", "sleep 10003"} {
		g.one(sleeper)
	}
	g.await("the child in a session of its own runs", func() string {
		if len(g.find("sleep 10002")) == 0 {
			return fmt.Sprint(g.alive())
		}
		return ""
	})
	g.kill(g.one("supervise"), syscall.SIGKILL)
	g.must("down", g.system)
	g.nothingLeft()
}

// TestSupervisorGivesACoreANewFrontUnderAnyPolicy kills the front of a process that is not restarted: its core has not ended, so it
// gets a new front.
func TestSupervisorGivesACoreANewFrontUnderAnyPolicy(t *testing.T) {
	g := newGround(t, family)
	g.must("up", "system.yaml")
	core := g.one("core/", "--process second")
	front := g.one(g.sinew+" run system.yaml", "--process second")
	g.kill(front, syscall.SIGKILL)
	g.await("ps shows a new front", func() string {
		states, out := g.ps()
		if !slices.ContainsFunc(states, func(s state) bool {
			return s.Name == "second" && s.State == "running" && s.PID != 0 && s.PID != front.pid
		}) {
			return out
		}
		return g.truth()
	})
	if p := g.one("core/", "--process second"); p.pid != core.pid {
		t.Errorf("the core is process %d, was %d", p.pid, core.pid)
	}
	g.must("down", g.system)
	g.nothingLeft()
}

// TestStopOfOneProcessEndsItsCore stops a process whose front was killed, and whose new ones fail: its core also ends.
func TestStopOfOneProcessEndsItsCore(t *testing.T) {
	g := newGround(t, family)
	g.must("up", "system.yaml")
	if err := os.Rename("system.yaml", "away.yaml"); err != nil {
		t.Fatal(err)
	}
	g.kill(g.one(g.sinew+" run system.yaml", "--process second"), syscall.SIGKILL)
	g.await("ps shows that the core goes on", func() string {
		states, out := g.ps()
		if !slices.ContainsFunc(states, func(s state) bool {
			return s.Name == "second" && s.State == "no front" && s.PID != 0 && strings.Contains(s.Note, "`sinew up FILE second` tries at once")
		}) {
			return out
		}
		return g.truth()
	})
	if err := os.Rename("away.yaml", "system.yaml"); err != nil {
		t.Fatal(err)
	}
	g.await("a new front takes the core up", func() string {
		out, _ := g.run("up", "system.yaml", "second")
		if list := g.find(g.sinew+" run system.yaml", "--process second"); len(list) != 1 {
			return out
		}
		return g.truth()
	})
	g.kill(g.one(g.sinew+" run system.yaml", "--process second"), syscall.SIGKILL)
	g.must("down", g.system, "second")
	if list := g.find("--process second"); len(list) > 0 {
		t.Errorf("left of a process that was stopped: %v", list)
	}
	g.must("down", g.system, "plant")
	if list := g.find("sleep"); len(list) > 0 {
		t.Errorf("left of a foreign program that was stopped: %v", list)
	}
	g.must("down", g.system)
	g.nothingLeft()
}

// TestNothingIsLeftAfterRandomKills kills fronts, cores, the supervisor, the hub and foreign programs, alone and in pairs, while
// the system starts and while it runs. The list of ps is right, and down leaves nothing.
func TestNothingIsLeftAfterRandomKills(t *testing.T) {
	const rounds = 5 // others the next time
	random := testkit.Rand(t)
	g := newGround(t, family)
	victims := [][]string{{g.sinew + " run system.yaml"}, {"core/"}, {"supervise"}, {"hub"}, {"sleep 1000"}, {"sh -c"}}
	for round := range rounds {
		early := random.IntN(3) == 0
		up := g.begin("up.log", "up", "--keep", "system.yaml")
		if early {
			time.Sleep(time.Duration(random.IntN(400)) * time.Millisecond)
		} else {
			_ = up.Wait()
		}
		var killed []string
		for range 1 + random.IntN(3) {
			list := g.find(victims[random.IntN(len(victims))]...)
			if len(list) == 0 {
				continue // it has not begun
			}
			p := list[random.IntN(len(list))]
			if syscall.Kill(p.pid, syscall.SIGKILL) == nil {
				killed = append(killed, p.command)
			}
			if random.IntN(2) == 0 {
				time.Sleep(time.Duration(random.IntN(100)) * time.Millisecond)
			}
		}
		if early {
			_ = up.Wait()
		}
		if random.IntN(2) == 0 && len(g.find("supervise"))+len(g.find("core/")) > 0 {
			g.await(fmt.Sprintf("ps is right after round %d, in which were killed %q", round, killed), g.truth)
		}
		if random.IntN(4) == 0 {
			_, _ = g.run("up", "--keep", "system.yaml") // takes up what runs, or reports why not
		}
		out, err := g.run("down", g.system)
		if err != nil && !strings.Contains(out, "is not up") {
			t.Errorf("round %d: down after the death of %q: %v\n%s", round, killed, err, out)
		}
		if left := g.left(); len(left) > 0 {
			t.Fatalf("round %d: after the death of %q are left:\n%s", round, killed, strings.Join(left, "\n"))
		}
	}
}
