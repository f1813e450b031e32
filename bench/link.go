package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/shm"
)

const (
	linkRounds = 3
	linkSpins  = 100_000 // round trips with both ends awake
	linkSleeps = 3_000   // with the receiver asleep
	linkBytes  = 1024 + 4
)

// processes compares a packet's way through shared memory from one process to another with the same in C.
func processes() error {
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c := &peer{name: "shm", source: "shm.c"}
	if err := buildC(c, dir); err != nil {
		return err
	}
	fmt.Println("| 1 kB from process to process, one way | Go | C | ratio of the medians |\n|---|---|---|---|")
	for _, mode := range []struct {
		name, argument string
		rounds         int
	}{{"both awake", "spin", linkSpins}, {"receiver asleep", "sleep", linkSleeps}} {
		ours, theirs := times{}, times{}
		for range linkRounds {
			t, err := pingC(c, mode.argument, mode.rounds)
			if err != nil {
				return err
			}
			theirs.keep(t)
			if t, err = pingGo(mode.argument, mode.rounds); err != nil {
				return err
			}
			ours.keep(t)
		}
		fmt.Printf("| %s, median | %s | %s | %s |\n", mode.name, nanos(ours["p50"]), nanos(theirs["p50"]), ratio(ours["p50"], theirs["p50"]))
		fmt.Printf("| %s, 99 %% | %s | %s | %s |\n", mode.name, nanos(ours["p99"]), nanos(theirs["p99"]), ratio(ours["p99"], theirs["p99"]))
	}
	return nil
}

// buildC compiles a peer in C with the library of clients/c.
func buildC(p *peer, dir string) error {
	p.binary = dir + "/" + p.name
	out, err := exec.Command("cc", "-std=gnu99", "-O2", "-o", p.binary, "bench/peers/"+p.source, "clients/c/ardnet.c").CombinedOutput()
	if err != nil {
		return fmt.Errorf("compile %s: %w\n%s", p.source, err, out)
	}
	return nil
}

func pingC(c *peer, mode string, rounds int) (times, error) {
	system := fmt.Sprintf("bench-c-%d", os.Getpid())
	defer func() { _ = shm.Clean(system) }()
	pong := exec.Command(c.binary, "pong", system, mode)
	if err := pong.Start(); err != nil {
		return nil, err
	}
	t, err := c.run("ping", system, strconv.Itoa(rounds), mode)
	if err != nil {
		_ = pong.Process.Kill()
	}
	_ = pong.Wait()
	return t, err
}

// pingGo measures as shm.c does, between this process and another of the same program.
func pingGo(mode string, rounds int) (times, error) {
	system := fmt.Sprintf("bench-go-%d", os.Getpid())
	defer func() { _ = shm.Clean(system) }()
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	pong := exec.Command(self, "pong", system, mode)
	if err := pong.Start(); err != nil {
		return nil, err
	}
	defer pong.Wait()
	out, in, err := linkEnds(system, "there", "back")
	if err != nil {
		return nil, err
	}
	defer out.Close()
	defer in.Close()
	defer debug.SetGCPercent(100)
	packet, all, sleeper := make([]byte, linkBytes), []int64{}, rt.Sleeper{Pinned: true}
	for i := -100; i < rounds; i++ {
		if mode == "sleep" {
			sleeper.SleepUntil(rt.Now() + 200_000)
		}
		begin := time.Now()
		binary.LittleEndian.PutUint32(packet[8:], uint32(i))
		_ = out.Send(packet)
		for !received(in, packet, mode) {
			if i < 0 && time.Since(begin) > 10*time.Millisecond {
				_ = out.Send(packet)
				begin = time.Now()
			}
		}
		if i >= 0 {
			all = append(all, time.Since(begin).Nanoseconds()/2)
		}
	}
	packet[0] = 'e'
	_ = out.Send(packet)
	slices.Sort(all)
	return times{"p50": float64(all[len(all)/2]), "p99": float64(all[len(all)*99/100])}, nil
}

func received(in link.Receiver, packet []byte, mode string) bool {
	if mode == "spin" {
		_, ok := in.TryReceive(packet)
		return ok
	}
	_, err := in.Receive(packet, 10*time.Millisecond)
	return err == nil
}

func linkEnds(system, to, from string) (link.Sender, link.Receiver, error) {
	transport, err := shm.New(system)
	if err != nil {
		return nil, nil, err
	}
	transport.Pinned = true
	runtime.LockOSThread()
	debug.SetGCPercent(-1) // as in a core
	out, err := transport.Send(link.Spec{Name: to, Size: linkBytes})
	if err != nil {
		return nil, nil, err
	}
	in, err := transport.Receive(link.Spec{Name: from, Size: linkBytes})
	return out, in, err
}

// pong answers another process of this program.
func pong(system, mode string) error {
	out, in, err := linkEnds(system, "back", "there")
	if err != nil {
		return err
	}
	defer out.Close()
	defer in.Close()
	for packet := make([]byte, linkBytes); ; {
		if !received(in, packet, mode) {
			continue
		}
		if packet[0] == 'e' {
			return nil
		}
		_ = out.Send(packet)
	}
}
