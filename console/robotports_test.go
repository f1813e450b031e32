package console_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

// drawn is a system of which only the structure is drawn.
type drawn struct {
	*admin.Local
	structure admin.Structure
}

func (d drawn) Structure(context.Context) (*admin.Structure, error) {
	st := d.structure
	return &st, nil
}

func (d drawn) Read(_ context.Context, ref string) (admin.Reading, error) {
	if strings.HasSuffix(ref, "3") { // such ports have three numbers, others two
		return admin.Reading{Value: []any{0., 0., 0.}}, nil
	}
	return admin.Reading{Value: []any{0., 0.}}, nil
}

// draw writes down a block: its description, and its ports and operations as "kind name type word".
func draw(name, urdf string, shows ...string) admin.Block {
	b := admin.Block{Name: name, Type: "x"}
	if urdf != "" {
		b.Params = []admin.Param{{Name: "urdf", Fixed: true, Value: urdf}}
	}
	for _, s := range shows {
		w := strings.Fields(s)
		if w[0] == "operation" && w[3] == "joint_point" {
			b.Operations = append(b.Operations, admin.Operation{Name: w[1], Show: w[3], Args: []admin.Arg{{Name: "number", Type: "int64"}, {Name: "at", Type: w[2], Unit: "rad"}}})
			continue
		}
		if w[0] == "operation" && strings.HasPrefix(w[3], "joint_path") {
			b.Operations = append(b.Operations, admin.Operation{Name: w[1], Show: w[3]})
			continue
		}
		if w[0] == "operation" {
			b.Operations = append(b.Operations, admin.Operation{Name: w[1], Show: w[3], Args: []admin.Arg{{Name: "to", Type: w[2], Unit: "rad"}, {Name: "in", Type: "float64", Unit: "s"}}})
			continue
		}
		b.Ports = append(b.Ports, admin.Port{Kind: w[0], Name: w[1], Type: w[2], Show: w[3]})
	}
	return b
}

// lock adds the constant locked to a block.
func lock(b admin.Block, joints ...string) admin.Block {
	b.Params = append(b.Params, admin.Param{Name: "locked", Fixed: true, Value: joints})
	return b
}

// TestPortsBelongToTheRobotsOfTheirBlocks gives ports to robots by what their blocks say, in systems that are only drawn.
func TestPortsBelongToTheRobotsOfTheirBlocks(t *testing.T) {
	dir := t.TempDir()
	for name, joints := range map[string][]string{"arm": {"a", "b"}, "twin": {"a", "b"}, "leg": {"a", "b", "c"}} {
		urdf := `<robot name="x"><link name="a0"/>`
		last := "a0"
		for _, j := range joints {
			urdf += `<link name="` + j + `1"/><joint name="` + j + `" type="continuous"><parent link="` + last + `"/><child link="` + j + `1"/></joint>`
			last = j + "1"
		}
		if err := os.WriteFile(filepath.Join(dir, name+".urdf"), []byte(urdf+"</robot>"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const q, want2, want3 = "output q float64[] joint_position", "output w float64[] joint_desired", "output w3 float64[] joint_desired"
	types := map[string]string{"x/Touch": "float64[3] point # m\nfloat64[3] force # N\n", "x/Other": "float64 force\n"}
	for name, c := range map[string]struct {
		blocks []admin.Block
		links  string // "from to" by commas
		want   string // robots as JSON, without what is always the same
		note   string // part of one, "" for none
		warned bool   // the structure warns, too
	}{
		"all that a block shows": {
			blocks: []admin.Block{draw("r", "arm.urdf", q, "output c x/Touch[4] contact_force", "output p float64[3] base_position", "output o float64[4] base_orientation"),
				draw("g", "", want2, "operation go float64[] joint_move")},
			want: `[{"name":"r","position":["r.q"],"desired":["g.w"],"contacts":["r.c"],"base":{"position":"r.p","orientation":"r.o"},"move":"g.go"}]`},
		"a planner with the robot's description": {
			blocks: []admin.Block{draw("planner", "arm.urdf", want2, "operation go float64[] joint_move"), draw("r", "arm.urdf", q)},
			want:   `[{"name":"r","position":["r.q"],"desired":["planner.w"],"contacts":[],"move":"planner.go"}]`},
		"a block that runs paths": {
			blocks: []admin.Block{draw("p", "arm.urdf", want2, "operation add float64[] joint_point", "operation run none joint_path"), draw("r", "arm.urdf", q)},
			want:   `[{"name":"r","position":["r.q"],"desired":["p.w"],"contacts":[],"path":{"point":"p.add","run":"p.run"}}]`},
		"a block that runs paths and knows what becomes of them": {
			blocks: []admin.Block{draw("p", "arm.urdf", want2, "operation add float64[] joint_point", "operation run none joint_path", "operation result none joint_path_outcome"), draw("r", "arm.urdf", q)},
			want:   `[{"name":"r","position":["r.q"],"desired":["p.w"],"contacts":[],"path":{"point":"p.add","run":"p.run","outcome":"p.result"}}]`},
		"a path without its points": {
			blocks: []admin.Block{draw("r", "arm.urdf", q, "operation run none joint_path")},
			want:   `[{"name":"r","position":["r.q"],"desired":[],"contacts":[]}]`,
			note:   "must be used together"},
		"a joint is locked": {
			blocks: []admin.Block{lock(draw("r", "leg.urdf", q), "c=0.5"), lock(draw("planner", "leg.urdf", want2), "c=0.5")},
			want:   `[{"name":"r","position":["r.q"],"desired":["planner.w"],"contacts":[]}]`},
		"a robot with desired positions": {
			blocks: []admin.Block{draw("r", "arm.urdf", q, "input u1 float64 joint_desired", "input u2 float64 joint_desired")},
			want:   `[{"name":"r","position":["r.q"],"desired":["r.u1","r.u2"],"contacts":[]}]`},
		"a port for each joint": {
			blocks: []admin.Block{draw("r", "arm.urdf", "output q1 float64 joint_position", "output q2 float64 joint_position")},
			want:   `[{"name":"r","position":["r.q1","r.q2"],"desired":[],"contacts":[]}]`},
		"no positions are published": {blocks: []admin.Block{draw("r", "arm.urdf")}, want: `[{"name":"r","position":[],"desired":[],"contacts":[]}]`},
		"a model beside the robot": {
			blocks: []admin.Block{draw("model", "arm.urdf"), draw("r", "arm.urdf", q)},
			want:   `[{"name":"r","position":["r.q"],"desired":[],"contacts":[]}]`},
		"a driver beside the model": {
			blocks: []admin.Block{draw("model", "arm.urdf"), draw("driver", "", q), draw("g", "", want2)},
			want:   `[{"name":"model","position":["driver.q"],"desired":["g.w"],"contacts":[]}]`},
		"as many joints": {
			blocks: []admin.Block{draw("r", "arm.urdf", q), draw("l", "leg.urdf", "output q3 float64[] joint_position"), draw("g", "", want3)},
			want:   `[{"name":"r","position":["r.q"],"desired":[],"contacts":[]},{"name":"l","position":["l.q3"],"desired":["g.w3"],"contacts":[]}]`},
		"where links lead": {
			blocks: []admin.Block{draw("left.r", "arm.urdf", q), draw("right.r", "twin.urdf", q), draw("g1", "", want2), draw("g2", "", want2), draw("c", "")},
			links:  "g1.w right.r.u[0:2],g2.w c.in,c.out[1] left.r.u,right.r.q g2.in",
			want:   `[{"name":"left.r","position":["left.r.q"],"desired":["g2.w"],"contacts":[]},{"name":"right.r","position":["right.r.q"],"desired":["g1.w"],"contacts":[]}]`},
		"links lead to two": {
			blocks: []admin.Block{draw("r", "arm.urdf", q), draw("s", "twin.urdf", q), draw("g", "", want2)},
			links:  "g.w r.u,g.w s.u",
			want:   `[{"name":"r","position":["r.q"],"desired":[],"contacts":[]},{"name":"s","position":["s.q"],"desired":[],"contacts":[]}]`,
			note:   "g: its tags show fit r and s"},
		"of no robot": {
			blocks: []admin.Block{draw("r", "arm.urdf", q), draw("g", "", want3)},
			want:   `[{"name":"r","position":["r.q"],"desired":[],"contacts":[]}]`, note: "g: its tags show cover 3 joints"},
		"too many joints": {
			blocks: []admin.Block{draw("r", "arm.urdf", "output q3 float64[] joint_position")},
			want:   `[{"name":"r","position":[],"desired":[],"contacts":[]}]`, note: "of 3 joints, the robot has 2"},
		"half a base": {
			blocks: []admin.Block{draw("r", "arm.urdf", q, "output p float64[3] base_position")},
			want:   `[{"name":"r","position":["r.q"],"desired":[],"contacts":[]}]`, note: "must be used together"},
		"no such word": {
			blocks: []admin.Block{draw("r", "arm.urdf", "output q float64[] joint_positon")},
			want:   `[{"name":"r","position":[],"desired":[],"contacts":[]}]`, note: `r.q: unknown value "joint_positon" of the tag show; did you mean "joint_position"?`, warned: true},
		"another type": {
			blocks: []admin.Block{draw("r", "arm.urdf", "input q float64[] joint_position", "output c x/Other[] contact_force", "operation go int64 joint_move")},
			want:   `[{"name":"r","position":[],"desired":[],"contacts":[]}]`, note: "expected an output of float64, one or some, got an input of float64[]", warned: true},
		"a constant names a block": {
			blocks: []admin.Block{draw("r", "arm.urdf", q), draw("s", "twin.urdf", q), {Name: "card", Params: []admin.Param{{Name: "robot", Fixed: true, Value: "s"}}}, draw("g", "", want2)},
			links:  "g.w card.u",
			want:   `[{"name":"r","position":["r.q"],"desired":[],"contacts":[]},{"name":"s","position":["s.q"],"desired":["g.w"],"contacts":[]}]`},
	} {
		t.Run(name, func(t *testing.T) {
			d := drawn{run(t, time.Second, "a"), admin.Structure{System: "test", File: filepath.Join(dir, "test.yaml"), Processes: []admin.Process{{Name: "main"}}, Blocks: c.blocks, Types: types}}
			for _, l := range strings.Split(c.links, ",") {
				if from, to, ok := strings.Cut(l, " "); ok {
					d.structure.Links = append(d.structure.Links, admin.Link{From: from, To: to})
				}
			}
			p := open(t, d, withBlocks).page(aToken + " ann")
			answer := p.want("robot", m{"system": "test"}).(m)
			robots, notes := answer["robots"].([]any), answer["notes"].([]any)
			for _, r := range robots {
				for _, same := range []string{"urdf", "joints", "links"} {
					delete(r.(m), same)
				}
			}
			var want any
			_ = json.Unmarshal([]byte(c.want), &want)
			got, _ := json.Marshal(robots)
			wanted, _ := json.Marshal(want)
			if string(got) != string(wanted) {
				t.Errorf("robots\n%s, want\n%s", got, wanted)
			}
			if all, _ := json.Marshal(notes); (c.note == "") != (len(notes) == 0) || !strings.Contains(strings.ReplaceAll(string(all), `\"`, `"`), c.note) {
				t.Errorf("notes %s, want %q", all, c.note)
			}
			warnings := p.want("structure", m{"system": "test"}).(m)["warnings"]
			if w, _ := json.Marshal(warnings); c.warned != strings.Contains(string(w), "show") {
				t.Errorf("warnings of the structure %s", w)
			}
		})
	}
}
