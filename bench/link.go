package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"

	"github.com/sinew-robotics/sinew/net/link/shm"
)

const (
	linkRounds = 5
	linkSpins  = 5_000 // round trips with both ends awake
	linkSleeps = 1_000 // with the receiver asleep
)

// contender is a means of carrying a packet between processes: a program with the arguments of peers/pingpong.h.
type contender struct {
	name    string
	command func(arguments ...string) *exec.Cmd // nil if it is not available here
}

// processes compares the transfer of a packet through shared memory from one process to another with the same in C
// and Python, and with iceoryx and CycloneDDS.
func processes() error {
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	end, err := startRouDi(dir)
	if err != nil {
		return err
	}
	defer end()
	contenders := []contender{
		{"Go", pinnedChild}, {"C", buildShm(dir)}, {"Python", buildPython(dir)}, {"iceoryx", buildIceoryx(dir)}, {"CycloneDDS", buildCyclone(dir)},
	}
	head, rule := "| 1 kB from process to process, one way |", "|---|"
	for _, c := range contenders {
		head, rule = head+" "+c.name+" |", rule+"---|"
	}
	fmt.Println(head + " Go/C |\n" + rule + "---|")
	calls := 0.0
	for _, mode := range []struct {
		name, argument string
		packets        int
	}{{"both awake", "spin", linkSpins}, {"receiver asleep", "sleep", linkSleeps}} {
		results := map[string]rounds{}
		for round := range linkRounds {
			for _, c := range contenders {
				if c.command == nil {
					continue
				}
				system := fmt.Sprintf("bench_%d_%d", os.Getpid(), round)
				t, err := pingpong(c, system, mode.argument, mode.packets)
				if err != nil { // skip this round: a peer may have timed out on a busy machine
					fmt.Fprintf(os.Stderr, "%s, %s: %v\n", c.name, mode.name, err)
					continue
				}
				if results[c.name] == nil {
					results[c.name] = rounds{}
				}
				results[c.name].add(t)
			}
		}
		for _, q := range []struct{ name, key string }{{"median", "p50"}, {"99 %", "p99"}} {
			row := fmt.Sprintf("| %s, %s |", mode.name, q.name)
			for _, c := range contenders {
				row += " " + nanos(results[c.name].median(q.key)) + " |"
			}
			fmt.Println(row, ratio(results["Go"].median(q.key), results["C"].median(q.key)), "|")
		}
		row := fmt.Sprintf("| %s, worst of all rounds |", mode.name) // of the ends in Go: the others do not print it
		for _, c := range contenders {
			row += " " + nanos(results[c.name].worst("max")) + " |"
		}
		fmt.Println(row, "|")
		if mode.argument == "spin" {
			calls = results["Python"].median("calls")
		}
	}
	if calls > 0 {
		fmt.Printf("\nOf Python's time %s are the calls themselves, without a peer.\n", nanos(calls))
	}
	return nil
}

// child returns a command that runs this program in another role.
func child(arguments ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return exec.Command(self, append([]string{"child"}, arguments...)...)
}

// pinnedChild returns child with the settings of a core's process: its goroutines are not interrupted.
func pinnedChild(arguments ...string) *exec.Cmd {
	command := child(arguments...)
	command.Env = append(os.Environ(), "GODEBUG=asyncpreemptoff=1")
	return command
}

// pingpong measures one contender. If its ends sleep they have real-time priority, like a core's threads; otherwise
// other programs would disturb the measurement. Ends that spin cannot have it, because some have threads that must
// run as well.
func pingpong(c contender, system, mode string, packets int) (times, error) {
	defer func() { _ = shm.Clean(system) }()
	role := func(arguments ...string) *exec.Cmd {
		command := c.command(arguments...)
		if chrt, err := exec.LookPath("chrt"); err == nil && mode == "sleep" && os.Geteuid() == 0 {
			command.Path, command.Args = chrt, append([]string{chrt, "-f", "50", command.Path}, command.Args[1:]...)
		}
		return command
	}
	pong := role("pong", system, mode)
	if err := pong.Start(); err != nil {
		return nil, err
	}
	t, err := runTimes(role("ping", system, strconv.Itoa(packets), mode))
	if err != nil {
		_ = pong.Process.Kill()
	}
	_ = pong.Wait()
	return t, err
}
