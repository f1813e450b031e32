package row

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/run"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/parts/servo"
)

func TestFortyJointsReachTheirTargets(t *testing.T) {
	s, err := system.Load("row.yaml", system.Options{Registry: block.NewRegistry(servo.Blocks())})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Net.Blocks) != 7+3*40 || len(s.Net.Links) != 9+10*40 {
		t.Errorf("%d blocks, %d links", len(s.Net.Blocks), len(s.Net.Links))
	}
	var out bytes.Buffer
	r, err := run.System(context.Background(), s, run.Options{Virtual: true, OneProcess: true, Output: &out})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Wait(); err != nil || !strings.Contains(out.String(), "worst error 0.00") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// The blocks and links of the forty joints are fifteen lines of row.yaml, and those of writtenOut one by one.
func TestFifteenLinesAreTheForty(t *testing.T) {
	text, err := os.ReadFile("row.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\nblocks:\n")
	body, after, _ := strings.Cut(rest, "\nrecord:")
	lines := 0
	for line := range strings.Lines(body) {
		if line := strings.TrimSpace(line); line != "" && line != "links:" {
			lines++
		}
	}
	if lines != 15 {
		t.Errorf("the blocks and links are %d lines", lines)
	}
	head := strings.TrimSuffix(string(text), rest)
	short := describe(t, "row.yaml")
	dir := t.TempDir()
	for _, name := range []string{"drives.yaml", "moves.star", "row.urdf.xacro"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := filepath.Join(dir, "row.yaml")
	if err := os.WriteFile(long, []byte(head+writtenOut()+"\nrecord:"+after), 0o600); err != nil {
		t.Fatal(err)
	}
	if want := describe(t, long); short != want {
		t.Errorf("row.yaml:\n%s\nwritten out:\n%s", short, want)
	}
}

// writtenOut returns the blocks and links of forty joints without ranges, lists and links of whole blocks.
func writtenOut() string {
	var blocks, links strings.Builder
	link := func(format string, args ...any) { fmt.Fprintf(&links, "  - "+format+"\n", args...) }
	blocks.WriteString(`  robot: {type: servo.SimRobot, params: {urdf: row.urdf.xacro, drives: drives.yaml}}
  sampler: {type: servo.Sampler}
  sensor: {type: servo.SensorNMux, params: {n: 40}}
  controller: {type: servo.ControllerNPID, params: {n: 40}}
  actuator: {type: servo.ActuatorNDemux, params: {n: 40}}
  generator: {type: servo.Generator, params: {n: 40}}
  bridge_ref: {type: servo.BridgeRef, params: {n: 40}}
`)
	for _, text := range []string{"generator.position -> bridge_ref.position", "generator.velocity -> bridge_ref.velocity",
		"generator.acceleration -> bridge_ref.acceleration", "bridge_ref.reference -> controller.reference", "sampler.sample -> sensor.sample",
		"sampler.sample -> controller.sample", "sampler.sample -> actuator.sample", "sensor.sensor -> controller.sensor", "controller.act -> actuator.act"} {
		link("%s", text)
	}
	for _, format := range []string{"card%d: {type: servo.Card, params: {robot: robot, axis: %[1]d}}",
		"joint%d: {type: servo.Joint, params: {peer_name: card%[1]d, gear_ratio: 100, resolution: 2000}}", "pid%d: {type: servo.PID, params: {kp: 40, ki: 2, kd: 40}}"} {
		for i := 1; i <= 40; i++ {
			fmt.Fprintf(&blocks, "  "+format+"\n", i)
		}
	}
	for _, format := range []string{"sampler.sample -> joint%d.sample", "card%d.displacement -> joint%[1]d.displacement_sensor", "card%d.index -> joint%[1]d.index_sensor",
		"joint%d.position -> sensor.position%[1]d", "joint%d.displacement -> sensor.displacement%[1]d", "controller.ref%d -> pid%[1]d.ref",
		"controller.sen%d -> pid%[1]d.sen", "pid%d.out -> controller.out%[1]d", "actuator.voltage%d -> joint%[1]d.voltage", "actuator.acted -> joint%d.act"} {
		for i := 1; i <= 40; i++ {
			link(format, i)
		}
	}
	return blocks.String() + "links:\n" + links.String()
}

// describe returns the blocks of a system with their parameters, and its links in the order of their names.
func describe(t *testing.T, path string) string {
	t.Helper()
	s, err := system.Load(path, system.Options{Registry: block.NewRegistry(servo.Blocks())})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, b := range s.Net.Blocks {
		fmt.Fprintf(&text, "%s %s", b.Name, b.Type)
		for _, p := range b.Params {
			if p.Layout != nil {
				cdr := make([]byte, p.Layout.Size())
				fmt.Fprintf(&text, " %s %x", p.Name, cdr[:p.Encode(cdr)])
			}
		}
		text.WriteString("\n")
	}
	var links []string
	for _, l := range s.Net.Links {
		links = append(links, l.String())
	}
	slices.Sort(links)
	text.WriteString(strings.Join(links, "\n"))
	return text.String()
}
