//go:build linux

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/cli/candidate"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

// withHostile is the counting system with a block that does harm.
func withHostile(how string) string {
	return strings.Replace(countingFile, "blocks:\n", "blocks:\n  bad: {type: cli_test.Hostile, params: {how: "+how+"}}\n", 1)
}

// startCounting runs the counting system with a console in this process, which an attack that works would end. Checks of candidates
// end at the deadline.
func startCounting(t *testing.T, deadline time.Duration) (ask func(string, map[string]any) (any, string), on func(...any) map[string]any, path string) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	path = filepath.Join(t.TempDir(), "counting.yaml")
	if err := os.WriteFile(path, []byte(countingFile), 0o644); err != nil {
		t.Fatal(err)
	}
	ask, end := startConsoleWith(t, candidate.NewChecker(deadline), "run", "--console", "--one-process", "--quiet", path)
	t.Cleanup(func() { _ = end() })
	on = func(more ...any) map[string]any {
		m := map[string]any{"system": "counting"}
		for i := 0; i+1 < len(more); i += 2 {
			m[more[i].(string)] = more[i+1]
		}
		return m
	}
	testkit.Await(t, "the system", func() bool { _, err := ask("read", on("ref", "twice.out")); return err == "" })
	return ask, on, path
}

// TestCandidatesThatDoHarmEndOnlyTheirCheck sends candidates whose blocks end the process, panic or take all memory.
func TestCandidatesThatDoHarmEndOnlyTheirCheck(t *testing.T) {
	sendHarmful(t, 5*candidate.Deadline, map[string]string{
		"exit":            "block type cli_test.Hostile in Setup ended the process (exit status 3)",
		"success":         "block type cli_test.Hostile in Setup ended the process (exit status 0)",
		"panic":           "panic while running Setup: wanted (hostile_test.go:",
		"panic elsewhere": "block type cli_test.Hostile in Setup: panic: wanted",
		"memory":          "it used more than 1024 MB (limit); block type cli_test.Hostile in Setup was at work",
		"recursion":       "block type cli_test.Hostile in Setup calls itself without end: its stack exceeds 128 MB (limit)",
	})
}

// TestCandidatesThatNeverEndAreEndedAtTheDeadline sends candidates whose blocks never end their Setup.
func TestCandidatesThatNeverEndAreEndedAtTheDeadline(t *testing.T) {
	sendHarmful(t, candidate.Deadline/2, map[string]string{
		"loop":        "it took longer than 4s (limit); the block created last is a cli_test.Hostile",
		"sleep":       "it took longer than 4s (limit); the block created last is a cli_test.Hostile",
		"descendants": "it took longer than 4s (limit)",
	})
}

// sendHarmful sends candidates with a block that does harm, by how it does, and wants these errors: through the console and
// the control plane. The system runs in the process that is asked.
func sendHarmful(t *testing.T, deadline time.Duration, harm map[string]string) {
	t.Helper()
	ask, on, path := startCounting(t, deadline)
	client, err := nats.Dial("counting")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	count := func() float64 {
		r, err := client.Read(t.Context(), "one.out")
		if err != nil {
			t.Fatal(err)
		}
		return float64(r.Count)
	}
	for how, want := range harm {
		t.Run(how, func(t *testing.T) {
			before := count()
			var plane sync.WaitGroup
			if how != "loop" && how != "descendants" { // once is enough of those
				plane.Go(func() {
					ctx := admin.WithActor(t.Context(), admin.Actor{User: "eve"}) // checks of one user wait for each other
					types, err := client.Types(ctx, "cli_test.Hostile", map[string]any{"how": how})
					if text := fmt.Sprint(err, types); !strings.Contains(text, want) {
						t.Errorf("types on the control plane: %s, wants %q", text, want)
					}
					faults, err := client.Check(ctx, map[string]string{path: withHostile(how)})
					if text := fmt.Sprint(err, faults); !strings.Contains(text, want) {
						t.Errorf("check on the control plane: %s, wants %q", text, want)
					}
				})
			}
			if how != "sleep" { // the others take more than time
				plane.Wait()
			}
			result, answer := ask("net.check", on("text", withHostile(how)))
			if text := fmt.Sprint(answer, result); !strings.Contains(text, want) {
				t.Errorf("through the console: %q, wants %q", text, want)
			}
			if _, answer := ask("net.put", on("text", withHostile(how))); answer == "" {
				t.Error("the candidate was saved")
			}
			plane.Wait()
			if count() <= before {
				t.Error("the system has stopped")
			}
		})
	}
	if _, answer := ask("net.check", on("text", withHostile("print"))); answer != "" {
		t.Errorf("what a block prints disturbs the answer: %s", answer)
	}
	awaitNoChildren(t)
}

// awaitNoChildren waits until all checks that this process has started have ended, with what they have started.
func awaitNoChildren(t *testing.T) {
	t.Helper()
	var left []int
	defer func() {
		if len(left) > 0 {
			t.Logf("processes %v are left", left)
		}
	}()
	testkit.Await(t, "the processes of the checks end", func() bool { left = childrenOf(os.Getpid()); return len(left) == 0 })
}

// childrenOf returns the checks that a process has started and that still run, and what those have started.
func childrenOf(parent int) (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, _ := os.ReadFile(path)
		_, rest, _ := bytes.Cut(text, []byte(") "))
		fields := strings.Fields(string(rest))
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		if len(fields) < 2 || fields[0] == "Z" || !bytes.Contains(line, []byte("\x00"+candidate.Verb+"\x00")) && !bytes.Contains(line, []byte("sleep\x003600")) {
			continue
		}
		if fields[1] == strconv.Itoa(parent) || fields[1] == "1" {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestDriverIsAnsweredDuringAFloodOfChecks: the newest check of a page counts, those before it end.
func TestDriverIsAnsweredDuringAFloodOfChecks(t *testing.T) {
	ask, on, path := startCounting(t, candidate.Deadline)
	client, err := nats.Dial("counting")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	large := countingFile + strings.Repeat("# 0123456789 0123456789 0123456789 0123456789\n", 19000) // 0.9 MB
	ctx, cancel := context.WithCancel(admin.WithActor(t.Context(), admin.Actor{User: "eve", Page: "one"}))
	defer cancel()
	var hammering sync.WaitGroup
	var replaced atomic.Int32
	for range 64 {
		hammering.Go(func() {
			for ctx.Err() == nil {
				if _, err := client.Check(ctx, map[string]string{path: large}); err != nil && err.Error() == candidate.ErrReplaced.Error() {
					replaced.Add(1)
				}
				time.Sleep(time.Second) // the connection, too, is shared
			}
		})
	}
	answered, longest := 0, time.Duration(0)
	defer func() {
		t.Logf("the driver was answered %d times, and %d checks were replaced by newer ones", answered, replaced.Load())
	}()
	// A busy machine takes its time, and a driver who is locked out waits until the hammering ends.
	testkit.AwaitEvery(t, 0, "the driver is answered 20 times, and a check is replaced", func() bool {
		asked := time.Now()
		if _, answer := ask("read", on("ref", "twice.out")); answer != "" {
			t.Fatalf("the driver is refused: %s", answer)
		}
		if _, answer := ask("set", on("ref", "twice", "named", map[string]any{"gain": []float64{3}})); answer != "" {
			t.Fatalf("the driver is refused: %s", answer)
		}
		longest = max(longest, time.Since(asked))
		answered++
		return answered >= 20 && replaced.Load() > 0
	})
	cancel()
	hammering.Wait()
	t.Logf("the slowest answer came after %v", longest)
}

// TestOnlyChecksOfOnePageReplaceEachOther: a save waits for the verdict on what it writes, whatever other pages of the same user check.
func TestOnlyChecksOfOnePageReplaceEachOther(t *testing.T) {
	c := candidate.NewChecker(2 * testkit.Patience())
	path := filepath.Join(t.TempDir(), "counting.yaml")
	if err := os.WriteFile(path, []byte(countingFile), 0o644); err != nil {
		t.Fatal(err)
	}
	ask := func(ctx context.Context, page, text string) <-chan error {
		answer := make(chan error, 1)
		begins := make(chan struct{})
		go func() {
			close(begins)
			_, err := c.Ask(admin.WithActor(ctx, admin.Actor{User: "ann", Page: page}), admin.Question{Kind: admin.AskCheck, File: path, Texts: map[string]string{path: text}})
			answer <- err
		}()
		<-begins
		time.Sleep(100 * time.Millisecond) // the questions are asked in this order; nothing shows that one is in the queue
		return answer
	}
	saving, stop := context.WithCancel(t.Context())
	defer stop()
	first := ask(t.Context(), "one", withHostile("sleep"))
	newer := ask(t.Context(), "one", countingFile)
	other := ask(t.Context(), "two", countingFile)
	save := ask(saving, "", withHostile("sleep"))
	second := ask(saving, "", countingFile)
	if err := <-first; !errors.Is(err, candidate.ErrReplaced) {
		t.Errorf("a check ended with %v while a newer one of its page was waiting", err)
	}
	stop() // the second save waits for the first, which sleeps
	for _, answer := range []<-chan error{save, second} {
		if err := <-answer; err == nil || errors.Is(err, candidate.ErrReplaced) {
			t.Errorf("the check of a save: %v, wants to wait until it is given up", err)
		}
	}
	for name, answer := range map[string]<-chan error{"the newer check": newer, "the check of the other page": other} {
		if err := <-answer; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestChecksOfOneUsersPagesDoNotDelayAnotherUser: one child at a time checks for all pages of a user.
func TestChecksOfOneUsersPagesDoNotDelayAnotherUser(t *testing.T) {
	const pages = 16 // all that a user may have open
	c := candidate.NewChecker(testkit.Patience())
	path := filepath.Join(t.TempDir(), "counting.yaml")
	if err := os.WriteFile(path, []byte(countingFile), 0o644); err != nil {
		t.Fatal(err)
	}
	check := func(ctx context.Context, by admin.Actor, text string) error {
		_, err := c.Ask(admin.WithActor(ctx, by), admin.Question{Kind: admin.AskCheck, File: path, Texts: map[string]string{path: text}})
		return err
	}
	ctx, cancel := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	var asked, ended atomic.Int32
	for i := range pages {
		asking.Go(func() {
			asked.Add(1)
			_ = check(ctx, admin.Actor{User: "ann", Page: fmt.Sprint(i)}, withHostile("sleep"))
			ended.Add(1)
		})
	}
	testkit.Await(t, "the checks of all pages, one at work", func() bool { return asked.Load() == pages && len(childrenOf(os.Getpid())) > 0 })
	if err := check(t.Context(), admin.Actor{User: "bob"}, countingFile); err != nil {
		t.Errorf("the check of another user's save: %v", err)
	}
	if n := ended.Load(); n != 0 {
		t.Errorf("%d checks of candidates that sleep have ended", n)
	}
	cancel()
	asking.Wait()
	awaitNoChildren(t)
}

// TestUsersWhoseChecksHangDoNotLockAThirdOut: each child works on a check that never ends when a third user asks.
func TestUsersWhoseChecksHangDoNotLockAThirdOut(t *testing.T) {
	c := candidate.NewChecker(candidate.Deadline)
	path := filepath.Join(t.TempDir(), "counting.yaml")
	if err := os.WriteFile(path, []byte(countingFile), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	check := func(user, text string) error {
		_, err := c.Ask(admin.WithActor(ctx, admin.Actor{User: user}), admin.Question{Kind: admin.AskCheck, File: path, Texts: map[string]string{path: text}})
		return err
	}
	var asking sync.WaitGroup
	for _, user := range []string{"eve", "mallory"} {
		asking.Go(func() {
			for ctx.Err() == nil {
				_ = check(user, withHostile("sleep"))
			}
		})
	}
	testkit.Await(t, "both children", func() bool { return len(childrenOf(os.Getpid())) == 2 })
	for range 3 {
		testkit.Await(t, "an answer", func() bool { return check("ann", countingFile) == nil })
	}
	cancel()
	asking.Wait()
	awaitNoChildren(t)
}

// TestCheckEndsWithItsContext: the context's end kills the child.
func TestCheckEndsWithItsContext(t *testing.T) {
	c := candidate.NewChecker(4 * testkit.Patience())
	dir := t.TempDir()
	path := filepath.Join(dir, "counting.yaml")
	if err := os.WriteFile(path, []byte(countingFile), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := c.Ask(ctx, admin.Question{Kind: admin.AskCheck, File: path, Texts: map[string]string{path: withHostile("loop")}})
		ended <- err
	}()
	testkit.Await(t, "the child", func() bool { return len(childrenOf(os.Getpid())) > 0 })
	cancel()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("a check that was given up has a verdict")
		}
	case <-time.After(testkit.Patience()):
		t.Error("the check goes on without its context")
	}
	awaitNoChildren(t)
}

// TestTypesOfOneClientAreAnsweredInTurn: an editor asks for each of its blocks.
func TestTypesOfOneClientAreAnsweredInTurn(t *testing.T) {
	c := candidate.NewChecker(candidate.Deadline)
	var asking sync.WaitGroup
	for k := range 100 {
		asking.Go(func() {
			v, err := c.Ask(t.Context(), admin.Question{Kind: admin.AskTypes, Type: "flow.Demux", Named: map[string]any{"n": float64(k + 1)}})
			if err != nil || len(v.Types) != 1 || len(v.Types[0].Ports) != k+3 {
				t.Errorf("%d: %d types, %v", k, len(v.Types), err)
			}
		})
	}
	asking.Wait()
}

// TestAChildDiesWithItsParent kills the process of a system while it has a candidate checked.
func TestAChildDiesWithItsParent(t *testing.T) {
	dir := startOwn(t)
	var client *nats.Client
	testkit.Await(t, "the system", func() (ok bool) {
		var err error
		client, err = nats.Dial("own")
		return err == nil
	})
	defer client.Close()
	st, err := client.Structure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "sys/own.yaml")
	go func() {
		_, _ = client.Check(t.Context(), map[string]string{path: strings.Replace(ownSystem["sys/own.yaml"], "blocks:\n", "blocks:\n  bad: {type: cli_test.Hostile, params: {how: loop}}\n", 1)})
	}()
	pid := st.Processes[0].PID
	var child string
	testkit.Await(t, "the child", func() bool {
		text, _ := exec.Command("pgrep", "-P", strconv.Itoa(pid), "-f", candidate.Verb).Output()
		child = strings.TrimSpace(string(text))
		return child != ""
	})
	parent, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Kill(); err != nil {
		t.Fatal(err)
	}
	testkit.Await(t, "the child's end", func() bool { // alone, a child that loops has no end
		text, err := os.ReadFile("/proc/" + child + "/stat")
		return err != nil || strings.Contains(string(text), ") Z ")
	})
}
