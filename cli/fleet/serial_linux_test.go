package fleet_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// TestSystemOfTwoHostsOnASerialLine runs a system on two hosts whose links a serial line of 57,600 bit/s carries. The line is too slow for
// the rate of its link: the values that find no room are counted.
func TestSystemOfTwoHostsOnASerialLine(t *testing.T) {
	r := newRig(t, "left", "right")
	c := testkit.NewSerialCable(t, r.Dir, nil)
	host := func(name, line string) string {
		return fmt.Sprintf("%s: {ssh: %s, address: \"serial://%s?baud=57600\"}", name, name, line)
	}
	deploy := "deploy:\n  network: serial"
	onLine := strings.NewReplacer("right: {ssh: right}", host("right", c.Paths[1]), "left: {ssh: left}", host("left", c.Paths[0]), "deploy:", deploy)
	r.write("pair.yaml", strings.ReplaceAll(onLine.Replace(pair), "2ms", "4ms"))
	r.write("bare.yaml", strings.Replace(pair, "deploy:", deploy, 1))
	r.refuse(`host "left": the carrier serial wants an address of each host`, "up", "bare.yaml")
	r.up("pair", "pair.yaml")
	r.awaitRunning("pair")
	r.eventually("values pass, and those that find no room are counted", func() (bool, string) {
		var list []struct {
			Links []struct {
				Name, From, To string
				Outgoing       bool
				Connected      bool
				Packets, Lost  uint64
			}
		}
		out, err := r.run("top", "--json")
		if err != nil || json.Unmarshal([]byte(out), &list) != nil || len(list) != 1 {
			return false, fmt.Sprint(err, out)
		}
		sent, received := false, false
		for _, l := range list[0].Links {
			if l.From == "left" && l.To == "right" && l.Connected {
				sent = sent || l.Outgoing && l.Lost > 0
				received = received || !l.Outgoing && l.Packets > 10
			}
		}
		return sent && received, out
	})
	if c.Bytes() == 0 {
		t.Error("nothing went over the line")
	}
}
