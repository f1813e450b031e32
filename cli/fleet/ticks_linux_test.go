package fleet_test

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/record"
)

// far is a net of two hosts whose values depend on their ticks only: the wave's phase is exact, since a step of it is a power of two.
const far = `
system: far
threads:
  ref: {period: 4194304ns}
  ctl: {period: 8388608ns, follow: ref}
blocks:
  wave: {type: flow.Wave, thread: ref, params: {frequency: 0.931322574615478515625}}
  gain: {type: flow.Gain, thread: ctl, params: {gain: 3}}
  back: {type: flow.Gain, thread: ref, params: {gain: 0.7}}
links: [wave.out -> gain.in, gain.out -> back.in]
record: {file: far.mcap, ports: [wave.out, gain.out, back.out]}
deploy:
  hosts: {left: {ssh: left}, right: {ssh: right}}
  processes:
    gen: {host: left, threads: [ref]}
    con: {host: right, threads: [ctl], needs: [gen]}
`

// Threads of two hosts exchange by tick: each value equals that of virtual time, or a log names what was missed before.
func TestHostsExchangeByTick(t *testing.T) {
	r := newRig(t, "left", "right")
	r.write("far.yaml", far)
	r.up("far", "far.yaml")
	r.awaitRunning("far")
	var list []struct {
		Threads []struct {
			Name  string
			Steps uint64 `json:"activations"`
			Pace  *struct{ Locked bool }
		}
	}
	const enough = 500 // activations of the follower
	since := uint64(0)
	r.eventually("the hosts exchange for some time", func() (bool, string) {
		out, err := r.run("top", "--json")
		if err != nil || json.Unmarshal([]byte(out), &list) != nil || len(list) != 1 {
			return false, out
		}
		for _, th := range list[0].Threads {
			if th.Pace == nil || !th.Pace.Locked {
				continue
			}
			if since == 0 {
				since = th.Steps
			}
			return th.Steps > since+enough, out
		}
		return false, out
	})
	r.must("down", "far")

	r.must("run", "far.yaml", "--fast", "--quiet", "--for", "10m", "--record", "virtual.mcap")
	logs := record.LogSet{}
	for _, path := range []string{"virtual.mcap", r.fileOf("left", "far.gen.mcap"), r.fileOf("right", "far.con.mcap")} {
		log, err := record.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		logs = append(logs, log)
	}
	const settle = 100 * time.Millisecond // several times the age of a value in back.out
	begin, _ := logs[2].Span()            // before, the follower did not run
	c, err := record.Compare(logs[:1], logs[1:], record.CompareOptions{From: time.Duration(begin) + settle, Settle: settle})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d values are equal; misses: %v", c.Equal, c.Misses[1][:min(5, len(c.Misses[1]))])
	if len(c.Absent[0])+len(c.Absent[1]) > 0 || c.Equal < enough {
		t.Errorf("%d values are equal; absent are %v", c.Equal, c.Absent)
	}
	for _, s := range c.Signals {
		t.Logf("%+v", s)
	}
	if !c.Explained() {
		t.Error("values differ that no log names as late")
	}
}

// fileOf returns the path of a file beside the system file, in the copy of a host.
func (r *rig) fileOf(host, name string) string {
	return filepath.Join(r.Network.Dir, host, ".cache", "sinew", "files", "far", r.dir, name)
}
