package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// multirateSystem is one model at several rates: a loop at 1 kHz goes over a bridge, a chain at 10 kHz beside it is joined to it.
const multirateSystem = `system: NAME
threads:
  fast: {period: 100us, priority: 80}
  slow: {period: 1ms, priority: 70, follow: fast}
  far:  {period: 1ms, priority: 70}
blocks:
  source: {type: model.Burn, thread: fast}
  scale:  {type: flow.Gain, thread: fast, params: {gain: [2]}}
  keep:   {type: flow.Gain, thread: slow, params: {gain: [1]}}
  trip:   {type: model.Trip, thread: slow}
  answer: {type: model.Pass, thread: far}
links: [source.out -> keep.in, keep.out -> scale.in, trip.out -> answer.in, answer.out -> trip.back]
record: {ports: [trip.trip]}
deploy: {processes: {near: {threads: [fast, slow]}, far: {threads: [far]}}}
`

// limbs is the number of bridges of the published robot, each of a limb of ten joints.
const limbs = 4

// limbsSystem returns a robot of 40 joints: a head at 1 kHz sends to four limbs, each behind a bridge, and reads their answers by tick.
func limbsSystem() string {
	threads, blocks, links, processes := "", "", []string{}, ""
	for i := range limbs {
		threads += fmt.Sprintf("  limb%d: {period: 1ms, priority: 70, follow: head}\n", i)
		blocks += fmt.Sprintf("  trip%d: {type: model.Trip, thread: head}\n  answer%d: {type: model.Pass, thread: limb%d}\n", i, i, i)
		links = append(links, fmt.Sprintf("trip%d.out -> answer%d.in, answer%d.out -> trip%d.back", i, i, i, i))
		processes += fmt.Sprintf("    of_limb%d: {threads: [limb%d]}\n", i, i)
	}
	return "system: NAME\nthreads:\n  head: {period: 1ms, priority: 70}\n" + threads + "blocks:\n" + blocks + "links: [" + strings.Join(links, ", ") + "]\n" +
		"record: {ports: [\"trip*.trip\"]}\ndeploy:\n  processes:\n    of_head: {threads: [head]}\n" + processes
}

// burdenedSystem has a thread that is busy for 90 % of its time, whose values go over a bridge, and a part at 10 kHz.
const burdenedSystem = `system: NAME
threads:
  control: {period: 1ms, priority: 80}
  fast:    {period: 100us, priority: 85}
  far:     {period: 1ms, priority: 70}
blocks:
  burn:   {type: model.Burn, thread: control, params: {time: 0.0009}}
  trip:   {type: model.Trip, thread: control}
  source: {type: model.Burn, thread: fast}
  answer: {type: model.Pass, thread: far}
links: [trip.out -> answer.in, answer.out -> trip.back]
record: {ports: [trip.trip, source.out]}
NATS
deploy: {processes: {near: {threads: [control, fast]}, far: {threads: [far]}}}
`

// newSpread returns a system in a folder of its own, which end removes.
func newSpread(name, text string, processes ...string) (s spread, end func(), err error) {
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return s, nil, err
	}
	s = spread{dir: dir, program: filepath.Join(dir, "busy"), name: "bench-" + name, processes: processes}
	s.text = strings.Replace(text, "NAME", s.name, 1)
	end = func() { s.clean(); os.RemoveAll(dir) }
	if err = buildProgram(s.program, "./bench/busy"); err != nil {
		end()
	}
	return s, end, err
}

// measureSpread runs a system and prints its threads, its links and its round trips.
func measureSpread(s spread, length time.Duration, trips ...string) error {
	all, err := s.run(length, trips...)
	if err != nil {
		return err
	}
	s.printThreads(all)
	var list []float64
	for _, trip := range trips {
		list = append(list, all[s.processes[0]].signals[trip]...)
	}
	if len(list) == 0 {
		return fmt.Errorf("no value came back: is a bridge not connected?")
	}
	slices.Sort(list)
	ms := func(share int) float64 { return 1e3 * list[(len(list)-1)*share/100] }
	fmt.Printf("\n%d answers; from sending to the step that reads the answer %.1f ms at the median, 99 %% %.1f ms, worst %.1f ms.\n", len(list), ms(50), ms(99), ms(100))
	return nil
}

// multirate runs one model at 10 kHz and 1 kHz, of which the slow loop is bridged.
func multirate(length time.Duration) error {
	s, end, err := newSpread("multirate", multirateSystem, "near", "far")
	if err != nil {
		return err
	}
	defer end()
	return measureSpread(s, length, "trip.trip")
}

// fourLimbs runs 40 joints over four bridges at 1 kHz.
func fourLimbs(length time.Duration) error {
	names, trips := []string{"of_head"}, []string{}
	for i := range limbs {
		names, trips = append(names, fmt.Sprint("of_limb", i)), append(trips, fmt.Sprintf("trip%d.trip", i))
	}
	s, end, err := newSpread("limbs", limbsSystem(), names...)
	if err != nil {
		return err
	}
	defer end()
	return measureSpread(s, length, trips...)
}

// burdened runs a thread that is busy for 90 %, with a bridge and a part at 10 kHz, and watchers in another network namespace, which reach the
// control plane over a cable.
func burdened(length time.Duration) error {
	if os.Geteuid() != 0 {
		fmt.Println("watchers: not measured: network namespaces want root")
		return nil
	}
	defer removeHosts()
	if err := makeHosts(); err != nil {
		return err
	}
	url := "nats://" + hostAddresses[0] + ":4223"
	s, end, err := newSpread("burdened", strings.Replace(burdenedSystem, "NATS", "nats: {url: \""+url+"\"}", 1), "near", "far")
	if err != nil {
		return err
	}
	defer end()
	// The system, its bridges and the server are on the first host.
	server := inSpace(0, child("nats", hostAddresses[0], "4223"))
	if err := server.Start(); err != nil {
		return err
	}
	defer func() { _ = server.Process.Kill(); _ = server.Wait() }()
	s.space = hostSpaces[0]
	s.during = func() func() {
		remote := func(arguments ...string) watcher {
			return watcher{append([]string{"netns", "exec", hostSpaces[1], s.program}, arguments...), ""}
		}
		return watch("ip", []watcher{
			remote("top", "--once", "--nats", url, s.name), remote("tap", "--nats", url, "--system", s.name, "--json", "burn.out"),
			remote("tap", "--nats", url, "--system", s.name, "--json", "trip.trip"),
		})
	}
	return measureSpread(s, length, "trip.trip")
}

// inSpace returns a command that runs on one of the two hosts.
func inSpace(host int, inner *exec.Cmd) *exec.Cmd {
	outer := exec.Command("ip", append([]string{"netns", "exec", hostSpaces[host], inner.Path}, inner.Args[1:]...)...)
	outer.Env = inner.Env
	return outer
}
