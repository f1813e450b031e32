package main

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
	"time"

	"github.com/sinew-robotics/sinew/bench/model"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/parts/flow"
)

// spread is a system whose processes run as if each had a host of its own: with a shared memory of its own, joined to that of the first by a pair
// of bridges.
type spread struct {
	dir, program string // a folder for this run, and bench/busy
	name, text   string // of the system
	processes    []string
	together     bool                // on one host: no bridges
	space        string              // network namespace; "": that of this process
	during       func() (end func()) // starts what runs beside the system; nil: nothing
}

// spreadSettle is the time from the start of a process until all bridges are connected. Values before it do not count.
const spreadSettle = 2 * time.Second

// outcome is what the log of a process holds.
type outcome struct {
	record.RunStatistics
	signals map[string][]float64
}

// run runs the system and returns the outcome of each process. signals are those whose values are wanted.
func (s spread) run(length time.Duration, signals ...string) (map[string]outcome, error) {
	file, err := s.write()
	if err != nil {
		return nil, err
	}
	wires, err := s.wires(file)
	if err != nil {
		return nil, err
	}
	var bridges []*exec.Cmd
	defer func() {
		for _, b := range bridges {
			_ = b.Process.Signal(os.Interrupt)
		}
		for _, b := range bridges {
			_ = b.Wait()
		}
	}()
	for i, p := range s.processes {
		if err := os.MkdirAll(s.memory(p), 0o700); err != nil {
			return nil, err
		}
		if i == 0 || s.together {
			continue
		}
		pair, err := s.bridge(p, wires)
		if err != nil {
			return nil, err
		}
		for _, b := range pair {
			if err := b.Start(); err != nil {
				return nil, err
			}
			bridges = append(bridges, b)
		}
	}
	if s.during != nil {
		defer s.during()()
	}
	failed := make([]error, len(s.processes))
	var running sync.WaitGroup
	for i, p := range s.processes {
		running.Go(func() {
			failed[i] = runQuietly(s.in(p, "run", file, "--quiet", "--process", p, "--for", length.String(), "--record", filepath.Join(s.dir, s.name+".mcap")))
		})
	}
	running.Wait()
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	all := map[string]outcome{}
	for _, p := range s.processes {
		if all[p], err = readOutcome(s.log(p), signals); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// write writes the system file.
func (s spread) write() (file string, err error) {
	file = filepath.Join(s.dir, s.name+".yaml")
	return file, os.WriteFile(file, []byte(s.text), 0o666)
}

// log returns the log of a process.
func (s spread) log(process string) string { return filepath.Join(s.dir, s.name+"."+process+".mcap") }

// memory returns the folder for the shared memory of a process.
func (s spread) memory(process string) string {
	if s.together {
		process = s.processes[0]
	}
	return filepath.Join("/dev/shm", fmt.Sprintf("%s-%d-%s", s.name, os.Getpid(), process))
}

// clean removes the shared memory.
func (s spread) clean() {
	for _, p := range s.processes {
		_ = os.RemoveAll(s.memory(p))
	}
}

// in returns a command that uses the shared memory of a process.
func (s spread) in(process string, arguments ...string) *exec.Cmd {
	call := exec.Command(s.program, arguments...)
	if s.space != "" {
		call = exec.Command("ip", append([]string{"netns", "exec", s.space, s.program}, arguments...)...)
	}
	call.Env = append(os.Environ(), "SINEW_SHM="+s.memory(process))
	return call
}

// wire is a link from one process to another.
type wire struct{ name, from, to string }

// wires returns the links between the processes of the system, and the ticks of their threads.
func (s spread) wires(file string) (list []wire, err error) {
	sys, err := system.Load(file, system.Options{Registry: block.NewRegistry(flow.Blocks(), model.Blocks())})
	if err != nil {
		return nil, err
	}
	thread := map[string]string{}
	for _, t := range sys.Net.Threads {
		for _, b := range t.Blocks {
			thread[b.Name] = t.Name
		}
	}
	add := func(name, fromThread, toThread string) {
		w := wire{name, sys.Deploy.ProcessOf(fromThread), sys.Deploy.ProcessOf(toThread)}
		if w.from != w.to {
			list = append(list, w)
		}
	}
	for _, l := range sys.Net.Links {
		add(l.Spec.Name, thread[l.From.Block], thread[l.To.Block])
	}
	for _, t := range sys.Net.Ticks {
		add(t.Spec.Name, t.Leader, t.Follower)
	}
	return list, nil
}

// bridge returns the bridges between the first process and another: the one at each end.
func (s spread) bridge(process string, wires []wire) (pair []*exec.Cmd, err error) {
	first := s.processes[0]
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	var keys, public [2]string
	for i, p := range []string{first, process} {
		keys[i] = filepath.Join(s.dir, process+"-"+p+".key")
		out, err := exec.Command(s.program, "bridge", "key", keys[i]).Output()
		if err != nil {
			return nil, fmt.Errorf("make a key: %w", err)
		}
		public[i] = strings.TrimSpace(string(out))
	}
	near, far := []string{"bridge", s.name}, []string{"bridge", s.name}
	for _, w := range wires {
		switch {
		case w.from == first && w.to == process:
			near, far = append(near, w.name+" -> "+process+":"+w.name), append(far, first+":"+w.name+" -> "+w.name)
		case w.from == process && w.to == first:
			near, far = append(near, process+":"+w.name+" -> "+w.name), append(far, w.name+" -> "+first+":"+w.name)
		}
	}
	near = append(near, "--name", first, "--listen", "127.0.0.1:0", "--key", keys[0], "--peer", process+"="+address+","+public[1], "--priority", "50")
	far = append(far, "--name", process, "--listen", address, "--key", keys[1], "--peer", first+"=,"+public[0], "--priority", "50")
	pair = []*exec.Cmd{s.in(process, far...), s.in(first, near...)}
	for _, b := range pair {
		b.Stderr = os.Stderr
	}
	return pair, nil
}

// readOutcome reads a log.
func readOutcome(path string, signals []string) (o outcome, err error) {
	log, err := record.Open(path)
	if err != nil {
		return o, err
	}
	defer log.Close()
	text, err := log.Attachment(record.StatisticsName)
	if err != nil {
		return o, err
	}
	o.signals = map[string][]float64{}
	for _, s := range signals {
		if block, _, _ := strings.Cut(s, "["); hasChannel(log, block) {
			times, values, err := log.Series(s)
			if err != nil {
				return o, err
			}
			first, _ := slices.BinarySearch(times, spreadSettle.Seconds())
			o.signals[s] = values[first:]
		}
	}
	return o, json.Unmarshal(text, &o.RunStatistics)
}

func hasChannel(log *record.Reader, name string) bool {
	_, ok := log.Channel(name)
	return ok
}

// printThreads prints a row for each thread of the outcomes, in the order of the processes.
func (s spread) printThreads(all map[string]outcome) {
	fmt.Println("| process | thread | steps | left out | late values | lateness: 99 % | worst |\n|---|---|---|---|---|---|---|")
	for _, p := range s.processes {
		for _, t := range all[p].Threads {
			fmt.Printf("| %s | %s, %v | %d | %d | %d | %s | %s |\n", p, t.Name, time.Duration(t.Period*float64(time.Second)), t.Activations, t.Slips, t.Late,
				nanos(float64(t.Jitter.P99)), nanos(float64(t.Jitter.Max)))
		}
	}
	fmt.Println("\n| link to | packets | lost | late | age at the end |\n|---|---|---|---|---|")
	for _, p := range s.processes {
		for _, l := range all[p].Links {
			if !l.Outgoing {
				fmt.Printf("| %s: %s | %d | %d | %d | %s |\n", p, l.Name, l.Packets, l.Lost, l.Late, nanos(1e9*l.Age))
			}
		}
	}
}
