package program

import (
	"strings"
	"testing"
)

func TestParseReadsUnitsFramesAndDefaults(t *testing.T) {
	p := parse(t, square)
	if p.Name != "square" || len(p.Moves) != 10 || p.Moves[0].Speed != 0.5 || p.Moves[0].Blend != 0.04 {
		t.Fatalf("%+v", p)
	}
	m := p.Moves[1]
	if m.Kind != MoveL || m.Speed != 0.25 || m.Acceleration != 2 || m.Blend != 0.03 || m.Pose.KeepRotation || m.At.Line != 10 || m.Tool.Link != "panda_hand" {
		t.Errorf("%+v", m)
	}
	if !p.Moves[2].Pose.KeepRotation || p.Moves[7].Time != 0.2 || p.Moves[6].Before != 0.03 || p.Outputs()[0] != "valve" {
		t.Errorf("%+v", p.Moves)
	}
	q := parse(t, "frames: {up: {xyz: [0, 0, 1], rpy: [0, 0, 90 deg]}}\nmoves:\n  - moveL: {xyz: [100 mm, 0, 0]}\n    frame: up\n")
	if x := q.Moves[0].Pose.P; x.X > 1e-15 || x.Y != 0.1 || x.Z != 1 {
		t.Errorf("in its frame the pose is at %v", x)
	}
}

func TestParseNamesTheLineOfEveryMistake(t *testing.T) {
	for text, want := range map[string]string{
		"moves:\n  - moveL: {xyz: [0, 0, 0]}\n    sped: 1\n":                                         `x.yaml:3:5: a moveL has no key "sped"; did you mean "speed"?`,
		"moves:\n  - movL: {xyz: [0, 0, 0]}\n":                                                       `x.yaml:2:5: there is no move "movL"; did you mean "moveL"?`,
		"moves:\n  - moveJ: [0]\n    moveL: {xyz: [0, 0, 0]}\n":                                      "x.yaml:2:5: a move is one of moveJ",
		"moves:\n  - moveL: {xyz: [0, 0]}\n":                                                         "x.yaml:2:18: xyz wants a list of three numbers",
		"moves:\n  - moveL: {xyz: [0, 0, 5 furlongs]}\n":                                             `x.yaml:2:25: xyz is "5 furlongs": wants a length in m, cm, mm; without a unit it counts in m; it has the unit "furlongs"`,
		"moves:\n  - moveL: {rpy: [0, 0, 0]}\n":                                                      "x.yaml:2:12: a pose wants xyz: [x, y, z]",
		"moves:\n  - moveJ: [0]\n    speed: 120 %\n":                                                 `x.yaml:3:12: speed is "120 %": wants at most 100 %`,
		"moves:\n  - moveJ: [0]\n    speed: 250 mm/s\n":                                              `x.yaml:3:12: speed is "250 mm/s": wants a share of the joints' limits`,
		"moves:\n  - moveL: {xyz: [0, 0, 0]}\n    speed: 0\n":                                        `x.yaml:3:12: speed is "0": wants more than 0`,
		"moves:\n  - moveL: {xyz: [0, 0, 0]}\n    frame: tabel\nframes: {table: {xyz: [0, 0, 0]}}\n": `x.yaml:3:12: there is no frame "tabel"; did you mean "table"?`,
		"moves:\n  - moveL: {xyz: [0, 0, 0]}\n    tool: pen\n":                                       `x.yaml:3:11: there is no tool "pen"`,
		"moves:\n  - dwell: -1\n":                                                                    `x.yaml:2:12: dwell is "-1": wants a time from 0`,
		"moves:\n  - set: {}\n":                                                                      "x.yaml:2:10: set wants outputs",
		"moves:\n  - movePath: plan.json\n":                                                          "x.yaml:2:15: movePath plan.json: the program has no folder",
		"moves:\n  - moveC: {xyz: [0, 0, 0]}\n":                                                      "x.yaml:2:12: moveC wants via",
		"move: []\n":                                                                                 `x.yaml:1:1: a program has no key "move"; did you mean "moves"?`,
		"moves: []\n":                                                                                "x.yaml:1:8: moves wants a list with at least one move",
		"moves:\n  - moveJ: [0]\ndefaults: {moveK: {}}\n":                                            `x.yaml:3:12: defaults has no key "moveK"; did you mean "moveC"?`,
		"moves:\n  - moveJ:\n":                                                                       "x.yaml:2:11: moveJ wants positions of all joints as a list",
		"moves:\n  - moveJ: 1 rad\n":                                                                 `x.yaml:2:12: moveJ is "1 rad": wants positions of all joints as a list`,
		"moves:\n  - attach: box\n  - attach: box\n":                                                 `x.yaml:3:13: "box" is attached already: detach it first`,
		"moves:\n  - attach: box\n  - detach: bx\n":                                                  `x.yaml:3:13: "bx" is not attached here, but "box" is: give attach and detach the same name`,
		"moves:\n  - attach: [box]\n":                                                                "x.yaml:2:13: attach wants the name of an object of the scene, as attach: box",
		"moves:\n  - attach: box\n    before: 1 mm\n":                                                `x.yaml:3:5: an attach has no key "before"`,
		"tools: {a: {touch: finger}}\nmoves: [dwell: 0]":                                             "x.yaml:1:20: touch wants a list of links",
		"a: [": "x.yaml:1:",
		"":     "x.yaml: the program is empty",
	} {
		_, err := Parse([]byte(text), "x.yaml", nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(square)
	f.Add("moves:\n  - movePath: [[0, 1], [1, 2]]\n  - set: {a: true}\n    before: 1 mm\n  - dwell: 1 min\n")
	f.Add("moves: [moveJ: ready, moveJ: ~, moveJ: 1]\n")
	f.Add("tools: {a: {touch: [b]}}\nmoves: [attach: x, detach: x, detach: ~]\n")
	f.Add("tools: &a {t: {xyz: [1e9, .5, -0]}}\nmoves: [{moveC: {via: [0, 0, 1 cm], xyz: [0, 1, 0]}}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse([]byte(text), "x.yaml", nil)
		if err != nil {
			return
		}
		for _, m := range p.Moves {
			if m.At.Line < 1 || m.Kind > Detach || (m.Kind <= MovePath && !(m.Speed > 0 && m.Acceleration > 0 && m.Jerk > 0 && m.Blend >= 0)) {
				t.Errorf("%q gives %+v", text, m)
			}
		}
	})
}
