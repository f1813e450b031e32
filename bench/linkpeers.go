package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// iceoryxHeaders is the location of the headers of iceoryx 2.0 in Debian.
const iceoryxHeaders = "/usr/include/iceoryx/v2.0.3"

// loopbackDDS keeps CycloneDDS on this machine.
const loopbackDDS = `<CycloneDDS><Domain><General><Interfaces><NetworkInterface name="lo"/></Interfaces><AllowMulticast>false</AllowMulticast></General>` +
	`<Discovery><ParticipantIndex>auto</ParticipantIndex><Peers><Peer address="localhost"/></Peers></Discovery></Domain></CycloneDDS>`

// program returns a contender's command: a file with environment variables.
func program(path string, environment ...string) func(...string) *exec.Cmd {
	return func(arguments ...string) *exec.Cmd {
		command := exec.Command(path, arguments...)
		command.Env = append(os.Environ(), environment...)
		return command
	}
}

// made runs the commands that build a contender; if one fails it prints the error, and the contender's column stays
// empty.
func made(name string, commands ...[]string) bool {
	for _, words := range commands {
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v: %v\n%s\n", name, errNoPeer, err, firstLine(out))
			return false
		}
	}
	return true
}

func buildShm(dir string) func(...string) *exec.Cmd {
	path := filepath.Join(dir, "shm")
	if !made("C", []string{"cc", "-std=gnu99", "-O2", "-o", path, "bench/peers/shm.c", "clients/c/ardnet.c"}) {
		return nil
	}
	return program(path)
}

func buildPython(dir string) func(...string) *exec.Cmd {
	library := filepath.Join(dir, "libardnet.so")
	if !made("Python", []string{"cc", "-std=c99", "-O2", "-shared", "-fPIC", "-o", library, "clients/c/ardnet.c"}, []string{"python3", "--version"}) {
		return nil
	}
	run := program("python3", "ARDNET_LIBRARY="+library, "PYTHONPATH=clients/python", "PYTHONDONTWRITEBYTECODE=1")
	return func(arguments ...string) *exec.Cmd {
		return run(append([]string{"bench/peers/ping.py"}, arguments...)...)
	}
}

func buildIceoryx(dir string) func(...string) *exec.Cmd {
	path := filepath.Join(dir, "iceoryx")
	if !made("iceoryx", []string{"iox-roudi", "-v"}, []string{"c++", "-std=c++17", "-O2", "-I", iceoryxHeaders, "-o", path, "bench/peers/iceoryx.cpp",
		"-liceoryx_posh", "-liceoryx_hoofs", "-liceoryx_platform", "-lpthread"}) {
		return nil
	}
	return program(path)
}

func buildCyclone(dir string) func(...string) *exec.Cmd {
	path := filepath.Join(dir, "cyclone")
	if !made("CycloneDDS", []string{"idlc", "-o", dir, "bench/peers/packet.idl"},
		[]string{"cc", "-std=gnu99", "-O2", "-I", dir, "-o", path, "bench/peers/cyclone.c", filepath.Join(dir, "packet.c"), "-lddsc"}) {
		return nil
	}
	return program(path, "CYCLONEDDS_URI="+loopbackDDS)
}

// startRouDi starts the daemon of iceoryx, if it is installed, and returns a function that ends it.
func startRouDi(dir string) (end func(), err error) {
	path, err := exec.LookPath("iox-roudi")
	if err != nil {
		return func() {}, nil
	}
	daemon := exec.Command(path, "-m", "off")
	daemon.Dir = dir
	out, err := daemon.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := daemon.Start(); err != nil {
		return nil, err
	}
	end = func() {
		_ = daemon.Process.Signal(os.Interrupt)
		_ = daemon.Wait()
	}
	ready := make(chan bool, 1)
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if strings.Contains(lines.Text(), "ready for clients") {
				ready <- true
			}
		}
		ready <- false
	}()
	select {
	case ok := <-ready:
		if ok {
			return end, nil
		}
	case <-time.After(10 * time.Second):
	}
	end()
	return nil, fmt.Errorf("%s did not become ready", path)
}
