package fleet_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// joined is a system of two hosts with a bridge between them and a foreign program that leaves a child in a session of its own.
const joined = `
system: joined
threads: {ref: {period: 5ms}, ctl: {period: 5ms}}
blocks:
  wave:  {type: flow.Wave, thread: ref}
  gain:  {type: flow.Gain, thread: ctl}
  plant: {run: [sh, -c, "setsid sleep 10002 & exec sleep 10003"], in: [u]}
links: [wave.out -> gain.in, gain.out -> plant.u]
deploy:
  hosts: {left: {ssh: left}, right: {ssh: right}}
  processes:
    gen:   {host: left, threads: [ref], restart: always}
    con:   {host: right, threads: [ctl], restart: always}
    plant: {host: right, restart: always}
`

// victim is what may be killed: on a host, or where that is empty among what this host has started.
type victim struct{ host, pattern string }

// kill kills one of the processes that a pattern matches, and reports whether there was one.
func (r *rig) kill(v victim) bool {
	if v.host != "" {
		return r.on(v.host, "pid=$(pgrep -f '"+v.pattern+"' | head -n 1); test -n \"$pid\" && kill -9 $pid && echo killed") != ""
	}
	g := ground{t: r.t, tmp: os.Getenv("TMPDIR")}
	for _, p := range g.find(v.pattern) {
		if syscall.Kill(p.pid, syscall.SIGKILL) == nil {
			g.awaitEnd(p)
			return true
		}
	}
	return false
}

// misreported returns the first process that ps shows and that does not run, or that runs and is not shown; "" if there is none.
func (r *rig) misreported(system string) string {
	all := r.ps(system)
	shown := map[string]string{}
	for _, p := range all {
		if p.PID != 0 && p.State != "unreachable" {
			shown[p.Host+"/"+strconv.Itoa(p.PID)] = p.Name
			if r.on(p.Host, fmt.Sprintf("test -d /proc/%d && echo yes", p.PID)) == "" {
				return fmt.Sprintf("ps shows process %d of %s on %s, which does not run: %v", p.PID, p.Name, p.Host, all)
			}
		}
	}
	for _, h := range r.Hosts {
		for _, pid := range strings.Fields(r.on(h.Name, "pgrep -f '^/.*[s]inew (run|bridge|hub) |[s]leep 10003'")) {
			if shown[h.Name+"/"+pid] == "" {
				return fmt.Sprintf("process %s on %s is not shown: %v\n%s", pid, h.Name, all, r.on(h.Name, "ps -ef"))
			}
		}
	}
	return ""
}

// TestNothingIsLeftOnOtherHostsAfterRandomKills kills bridges, ssh connections, hubs, supervisors of this and of other hosts, fronts,
// cores and foreign programs, alone and in pairs. Everything comes back, ps is right, and down leaves nothing.
func TestNothingIsLeftOnOtherHostsAfterRandomKills(t *testing.T) {
	r := newRig(t, "left", "right")
	random := testkit.Rand(t)
	r.write("joined.yaml", joined)
	r.up("joined", "joined.yaml")
	victims := []victim{{"", "supervise"}, {"", "ssh "}}
	for _, host := range []string{"left", "right"} {
		for _, pattern := range []string{"[s]inew supervise", "^/.*[s]inew run", "[c]ore/sinew", "[s]inew bridge", "[s]inew hub", "[s]inew host reach", "[s]shd.*notty"} {
			victims = append(victims, victim{host, pattern})
		}
	}
	victims = append(victims, victim{"right", "[s]leep 10002"}, victim{"right", "[s]leep 10003"})
	random.Shuffle(len(victims), func(i, k int) { victims[i], victims[k] = victims[k], victims[i] })
	const deaths = 4 // others the next time
	for i := 0; i < deaths; {
		var killed []victim
		for range 1 + random.IntN(2) {
			if i < deaths {
				if r.kill(victims[i]) {
					killed = append(killed, victims[i])
				}
				i++
			}
		}
		t.Logf("killed %v", killed)
		if random.IntN(3) == 0 { // in the middle of it
			out, err := r.run("down", "joined")
			if err != nil {
				t.Errorf("down after the death of %v: %v\n%s", killed, err, out)
			}
			r.clean()
			r.must("up", "joined.yaml")
			continue
		}
		if out, err := r.run("ps", "joined"); err != nil {
			if !strings.Contains(out, "no supervisor runs") {
				t.Errorf("ps after the death of %v: %v\n%s", killed, err, out)
			}
			r.must("up", "joined.yaml")
		}
		r.eventually(fmt.Sprintf("all is well after the death of %v", killed), func() (bool, string) {
			all := r.ps("joined")
			for _, p := range all {
				if p.State != "running" {
					return false, fmt.Sprint(all)
				}
			}
			wrong := r.misreported("joined")
			return wrong == "", wrong
		})
	}
	r.must("down", "joined")
	r.clean()
	if left := (&ground{t: t, tmp: os.Getenv("TMPDIR")}).alive(); len(left) > 0 {
		t.Errorf("left on this host: %v", left)
	}
}
