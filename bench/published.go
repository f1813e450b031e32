package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/net/link/shm"
)

const publishedRounds = 2

// fourBridges is the traffic of the published set-up: 1 kB at 1 kHz over each bridge.
var fourBridges = traffic{4, linkBytes, time.Millisecond}

// published measures the set-up of the published figures: a thread at 10 kHz, and beside it four bridges that send 1
// kB at 1 kHz each. Their other ends and the programs at both ends run on this machine as well, which so carries the
// load of two. The runs alternate with cyclictest.
func published(length time.Duration) error {
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := buildProgram(filepath.Join(dir, "sinew"), "./cmd/sinew"); err != nil {
		return err
	}
	const period = 100 * time.Microsecond
	cyclic, alone, bridged, traffic := rounds{}, rounds{}, rounds{}, rounds{}
	for range publishedRounds {
		each := length / publishedRounds
		t, err := cyclictest(period, each, loadNone)
		if err != nil && !errors.Is(err, errNoPeer) {
			return err
		}
		cyclic.add(t)
		if t, err = runTimes(child("front", period.String(), each.String(), loadNone)); err != nil {
			return err
		}
		alone.add(t)
		b, err := startBridges(dir, each, fourBridges)
		if err != nil {
			return err
		}
		t, err = runTimes(child("front", period.String(), each.String(), loadNone))
		passed, endErr := b.end()
		if err = errors.Join(err, endErr); err != nil {
			return err
		}
		bridged.add(t)
		traffic.add(passed)
	}
	fmt.Println("| a thread at 10 kHz | steps | left out | lateness: median | 99 % | 99.9 % | worst | 99.9 % of cyclictest's |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, row := range []struct {
		name string
		rounds
	}{{"cyclictest", cyclic}, {"alone", alone}, {"beside four bridges", bridged}} {
		fmt.Printf("| %s | %.0f | %.0f | %s | %s | %s | %s | %s |\n", row.name, row.sum("steps"), row.sum("slips"), nanos(row.median("p50")),
			nanos(row.median("p99")), nanos(row.median("p99.9")), nanos(row.worst("max")), ratio(row.median("p99.9"), cyclic.median("p99.9")))
	}
	fmt.Printf("\nOver the bridges came %.0f packets, %.0f were overtaken; from sending to reception in the other program %s, 99 %% %s.\n",
		traffic.sum("packets"), traffic.sum("lost"), nanos(traffic.median("p50")), nanos(traffic.median("p99")))
	return nil
}

// buildProgram builds a command of this repository.
func buildProgram(path, pkg string) error {
	if out, err := exec.Command("go", "build", "-o", path, pkg).CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	return nil
}

// bridges are the processes beside the thread.
type bridges struct {
	systems   [2]string // near, far
	processes []*exec.Cmd
	sink      *exec.Cmd
	result    chan sinkResult
}

type sinkResult struct {
	times times
	err   error
}

// startBridges starts a source, a bridge for each wire of the traffic, the bridge at their other end and a sink there, which runs for the
// given time.
func startBridges(dir string, length time.Duration, traffic traffic) (b *bridges, err error) {
	b = &bridges{result: make(chan sinkResult, 1)}
	for i, end := range []string{"near", "far"} {
		b.systems[i] = fmt.Sprintf("bench-%s-%d", end, os.Getpid())
	}
	defer func() {
		if err != nil {
			b.stop()
		}
	}()
	sinew := func(arguments ...string) *exec.Cmd { return exec.Command(filepath.Join(dir, "sinew"), arguments...) }
	key := func(name string) (file, public string, err error) {
		file = filepath.Join(dir, name+".key")
		out, err := sinew("bridge", "key", file).Output()
		return file, strings.TrimSpace(string(out)), err
	}
	farFile, farKey, err := key("far")
	if err != nil {
		return b, err
	}
	address, err := freeAddress()
	if err != nil {
		return b, err
	}
	far := []string{"bridge", b.systems[1], "--name", "far", "--listen", address, "--key", farFile, "--priority", "50"}
	for i := range traffic.wires {
		name, port := fmt.Sprint("near", i), fmt.Sprint("port", i)
		file, public, err := key(name)
		if err != nil {
			return b, err
		}
		far = append(far, fmt.Sprintf("%s:%s -> %s", name, port, port), "--peer", name+"=,"+public)
		if err := b.start(sinew("bridge", b.systems[0], fmt.Sprintf("%s -> far:%s", port, port), "--name", name, "--listen", "127.0.0.1:0",
			"--key", file, "--peer", "far="+address+","+farKey, "--priority", "50")); err != nil {
			return b, err
		}
	}
	if err := b.start(sinew(far...)); err != nil {
		return b, err
	}
	if err := b.start(child(append([]string{"source", b.systems[0]}, traffic.arguments()...)...)); err != nil {
		return b, err
	}
	b.sink = child(append([]string{"sink", b.systems[1], length.String()}, traffic.arguments()...)...)
	go func() {
		t, err := runTimes(b.sink)
		b.result <- sinkResult{t, err}
	}()
	return b, nil
}

func (b *bridges) start(command *exec.Cmd) error {
	command.Stderr = os.Stderr
	b.processes = append(b.processes, command)
	return command.Start()
}

// end waits for the sink and ends the others.
func (b *bridges) end() (times, error) {
	defer b.stop()
	r := <-b.result
	return r.times, r.err
}

func (b *bridges) stop() {
	for _, p := range b.processes {
		if p.Process != nil {
			_ = p.Process.Signal(os.Interrupt)
		}
	}
	for _, p := range b.processes {
		if p.Process != nil {
			_ = p.Wait()
		}
	}
	for _, s := range b.systems {
		_ = shm.Clean(s)
	}
}

// freeAddress returns an unused address of this machine.
func freeAddress() (string, error) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer conn.Close()
	return conn.LocalAddr().String(), nil
}
