package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/sinew-robotics/sinew/net/link/remote"
)

const (
	hostRounds = 5
	hostPings  = 2000
)

// hostSpaces are two network namespaces joined by a virtual cable, and hostAddresses their addresses on it.
var (
	hostSpaces    = [2]string{"sinew-bench-1", "sinew-bench-2"}
	hostAddresses = [2]string{"10.231.9.1", "10.231.9.2"}
)

// hosts compares the round trip of a packet between two hosts with plain UDP in C and with CycloneDDS. The hosts are
// network namespaces; all contenders alternate.
func hosts() error {
	if os.Geteuid() != 0 {
		fmt.Println("hosts: not measured: network namespaces want root")
		return nil
	}
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	defer removeHosts()
	if err := makeHosts(); err != nil {
		return err
	}
	all := []contender{{"plain UDP in C", buildUDP(dir)}}
	for _, n := range []struct{ name, network string }{{"sinew udp", "udp"}, {"sinew udp, insecure", "insecure"}, {"sinew tcp", "tcp"}} {
		c, err := hostContender(n.network)
		if err != nil {
			return err
		}
		all = append(all, contender{n.name, c})
	}
	all = append(all, contender{"CycloneDDS", onHosts(buildHostCyclone(dir))})
	results := map[string]rounds{}
	for round := range hostRounds {
		for _, c := range all {
			if c.command == nil {
				continue
			}
			t, err := pingpong(c, fmt.Sprintf("bench_%d_%d", os.Getpid(), round), "sleep", hostPings)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			if results[c.name] == nil {
				results[c.name] = rounds{}
			}
			results[c.name].add(times{"p50": 2 * t["p50"], "p99": 2 * t["p99"]}) // there and back
		}
	}
	fmt.Println("| 1 kB from host to host and back | median | 99 % | of C's median | of C's 99 % |\n|---|---|---|---|---|")
	for _, c := range all {
		r, plain := results[c.name], results[all[0].name]
		fmt.Printf("| %s | %s | %s | %s | %s |\n", c.name, nanos(r.median("p50")), nanos(r.median("p99")),
			ratio(r.median("p50"), plain.median("p50")), ratio(r.median("p99"), plain.median("p99")))
	}
	return nil
}

// makeHosts joins two new network namespaces.
func makeHosts() error {
	removeHosts() // remains of a killed measurement
	for _, line := range []string{
		"netns add " + hostSpaces[0], "netns add " + hostSpaces[1],
		"link add veth0 netns " + hostSpaces[0] + " type veth peer name veth0 netns " + hostSpaces[1],
	} {
		if err := ip(line); err != nil {
			return err
		}
	}
	for i, space := range hostSpaces {
		for _, line := range []string{"addr add " + hostAddresses[i] + "/24 dev veth0", "link set veth0 up", "link set lo up"} {
			if err := ip("-n " + space + " " + line); err != nil {
				return err
			}
		}
	}
	return nil
}

func removeHosts() {
	for _, space := range hostSpaces {
		_ = ip("netns del " + space)
	}
}

func ip(line string) error {
	if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
		return errors.Join(fmt.Errorf("ip %s: %w: %s", line, err, firstLine(out)))
	}
	return nil
}

// onHosts runs a contender's ping on the first host and its pong on the second one.
func onHosts(command func(...string) *exec.Cmd) func(...string) *exec.Cmd {
	if command == nil {
		return nil
	}
	return func(arguments ...string) *exec.Cmd {
		host := 0
		if arguments[0] == "pong" {
			host = 1
		}
		inner := command(arguments...)
		return inSpace(host, inner)
	}
}

// hostContender returns a command that runs sinew over a network; each side gets an identity.
func hostContender(network string) (func(...string) *exec.Cmd, error) {
	ping, err := remote.NewIdentity()
	if err != nil {
		return nil, err
	}
	pong, err := remote.NewIdentity()
	if err != nil {
		return nil, err
	}
	return onHosts(func(arguments ...string) *exec.Cmd {
		own, other := ping, pong
		if arguments[0] == "pong" {
			own, other = pong, ping
		}
		return pinnedChild(append([]string{"host", network, own.Secret(), other.Public().String()}, arguments...)...)
	}), nil
}

func buildUDP(dir string) func(...string) *exec.Cmd {
	path := filepath.Join(dir, "udp")
	if !made("C", []string{"cc", "-std=gnu99", "-O2", "-o", path, "bench/peers/udp.c"}) {
		return nil
	}
	return onHosts(program(path))
}

// hostDDS lets CycloneDDS find the other host without multicast, as sinew does.
const hostDDS = `<CycloneDDS><Domain><General><Interfaces><NetworkInterface name="veth0"/></Interfaces><AllowMulticast>false</AllowMulticast></General>` +
	`<Discovery><ParticipantIndex>auto</ParticipantIndex><Peers><Peer address="10.231.9.1"/><Peer address="10.231.9.2"/></Peers></Discovery></Domain></CycloneDDS>`

// buildHostCyclone builds the CycloneDDS program of the table of processes, for two hosts.
func buildHostCyclone(dir string) func(...string) *exec.Cmd {
	build := buildCyclone(dir)
	if build == nil {
		return nil
	}
	return program(build().Path, "CYCLONEDDS_URI="+hostDDS)
}
