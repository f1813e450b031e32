package fleet_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The supervisor of a host notes which user of which host asked for a stop, also where another host passes the request on: here the console
// asks the supervisor of one host, and that of the other host stops the process.
func TestSupervisorsOfOtherHostsNameTheUserThatStopsProcesses(t *testing.T) {
	r := newRig(t, "left", "right")
	t.Setenv("USER", "eve")
	r.write("pair.yaml", pair)
	r.up("pair", "pair.yaml")
	r.awaitRunning("pair")
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	by := " by eve@" + regexp.QuoteMeta(host) + `, process [0-9]+\n`
	logged := func(notes ...string) {
		t.Helper()
		r.eventually("the logs of all hosts have "+strings.Join(notes, " and "), func() (bool, string) {
			out, err := r.run("logs", "pair", "supervisor")
			for _, note := range notes {
				if err != nil || !regexp.MustCompile(note).MatchString(out) {
					return false, out
				}
			}
			return true, ""
		})
	}
	r.must("down", "pair", "gen", "--dependants") // con on the other host needs it
	logged("right.* con: stopped"+by, "left.* gen: stopped"+by)
}
