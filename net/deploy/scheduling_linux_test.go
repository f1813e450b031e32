package deploy

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

// scheduled returns the policy, the real-time priority and the processors of a process as the kernel shows them in /proc.
func scheduled(t *testing.T, pid int) (policy, priority, processors string) {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(after) // the first is the third of proc_pid_stat(5)
	return fields[41-3], fields[40-3], regexp.MustCompile(`Cpus_allowed_list:\s*(\S+)`).FindStringSubmatch(string(status))[1]
}

// A foreign program has the priority and the processor of its plan, and so have the programs that it starts. The supervisor has not.
func TestProgramsHaveTheirPriorityAndProcessor(t *testing.T) {
	var here unix.CPUSet
	if err := unix.SchedGetaffinity(0, &here); err != nil {
		t.Fatal(err)
	}
	cpu := 0
	for !here.IsSet(cpu) {
		cpu++
	}
	c := supervise(t,
		PlannedProcess{Name: "driver", Command: []string{"sleep 1000 & echo $!; wait"}, Restart: "never", Priority: 21, CPU: cpu + 1},
		PlannedProcess{Name: "plain", Command: []string{"exec sleep 1000"}, Restart: "never"})
	s := await(t, c, "driver", Running, nil)
	if s.CPU != cpu+1 {
		t.Errorf("it is shown on processor %d, want %d", s.CPU, cpu+1)
	}
	var child int
	testkit.Await(t, "the program has started another", func() bool {
		text, _ := os.ReadFile(c.Log("driver"))
		for line := range strings.Lines(string(text)) {
			_, _ = fmt.Sscan(line, &child)
		}
		return child > 0
	})
	refused := strings.Contains(s.Note, "without priority 21: `sinew logs test driver` has the reason")
	for _, pid := range []int{s.PID, child} {
		policy, priority, processors := scheduled(t, pid)
		if processors != fmt.Sprint(cpu) {
			t.Errorf("process %d runs on %s, want %d", pid, processors, cpu)
		}
		if wrong := policy != fmt.Sprint(unix.SCHED_FIFO) || priority != "21"; wrong != refused {
			t.Errorf("process %d has policy %s and priority %s; its state is %+v", pid, policy, priority, s)
		}
	}
	if text, _ := os.ReadFile(c.Log("driver")); refused != strings.Contains(string(text), "sinew: start driver: no real-time priority 21: ") {
		t.Errorf("the log has %q, refused: %v", text, refused)
	}
	if refused {
		t.Log("SKIPPED: the priority itself, which needs root or rtprio")
	} else if s.Priority != 21 {
		t.Errorf("it is shown with priority %d", s.Priority)
	}
	p := await(t, c, "plain", Running, nil)
	if policy, _, processors := scheduled(t, p.PID); policy != "0" || p.Note != "" || p.CPU != 0 || processors == fmt.Sprint(cpu) && here.Count() > 1 {
		t.Errorf("the other program has policy %s on %s: %+v", policy, processors, p)
	}
}

// A priority or processor that the system does not grant is shown with the process, and the reason is in its log.
func TestRefusedProcessorIsShown(t *testing.T) {
	c := supervise(t, PlannedProcess{Name: "driver", Command: []string{"exec sleep 1000"}, Restart: "never", CPU: 900})
	if s := await(t, c, "driver", Running, nil); s.CPU != 0 || s.Note != "without cpu 900: `sinew logs test driver` has the reason" {
		t.Errorf("it is shown as %+v", s)
	}
	for _, log := range []string{"driver", SupervisorLog} {
		if text, _ := os.ReadFile(c.Log(log)); !strings.Contains(string(text), "no binding to processors [900]: processor 900 is not available") {
			t.Errorf("the log of %s has %q", log, text)
		}
	}
}

// A foreign program sleeps as exactly as without sinew, although its supervisor, a program in Go, does not.
func TestForeignProgramsKeepTheUsualSlack(t *testing.T) {
	if os.Getenv(asSlowSupervisor) == "" {
		child := exec.Command("/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.v")
		child.Env = append(os.Environ(), asSlowSupervisor+"=1")
		var out strings.Builder
		child.Stdout = &out
		if _, err := rt.Start(rt.ThreadOptions{Slack: rt.RuntimeSlack}, child.Run); err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		return
	}
	const show = "cat /proc/self/timerslack_ns; "
	c := supervise(t,
		PlannedProcess{Name: "driver", Command: []string{show + "exec sleep 1000"}, Restart: "never"},
		PlannedProcess{Name: "ours", Command: []string{show + "echo >&$SINEW_READY; exec sleep 1000"}, ReportsReady: true, Restart: "never"})
	for name, want := range map[string]time.Duration{"driver": rt.UsualSlack, "ours": rt.RuntimeSlack} {
		await(t, c, name, Running, nil)
		var slack time.Duration
		testkit.Await(t, name+" has printed its slack", func() bool {
			text, _ := os.ReadFile(c.Log(name))
			for line := range strings.Lines(string(text)) {
				_, _ = fmt.Sscan(line, (*int64)(&slack))
			}
			return slack > 0
		})
		if slack != want {
			t.Errorf("%s has a slack of %v, want %v", name, slack, want)
		}
	}
}

// asSlowSupervisor names the environment variable by which the test binary's child knows that it has slack.
const asSlowSupervisor = "SINEW_DEPLOY_TEST_SLACK"
