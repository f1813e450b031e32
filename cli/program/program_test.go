package program_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/cli"
)

// sinew runs the verb with the Panda at its rest position.
func sinew(t *testing.T, code int, args ...string) (out, failure string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args = append(append([]string{"program"}, args...), "--robot", "../../models/panda/panda.urdf", "--locked", "panda_finger_joint1=0.02",
		"--start", "0,-0.7854,0,-2.3562,0,1.5708,0.7854")
	if got := cli.Execute(args, &stdout, &stderr); got != code {
		t.Fatalf("exit code %d, want %d: %s", got, code, stderr.String())
	}
	return stdout.String(), stderr.String()
}

const square = "../../examples/arm/square.yaml"

// obstacle writes a scene with a box, and returns its file.
func obstacle(t *testing.T, place string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "box.scene")
	text := "box\n* box\n1\nbox\n0.05 0.05 0.1\n" + place + "\n0 0 0 1\n0 0 0 0\n.\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestCheckNamesMoveAndBodiesOfAContact(t *testing.T) {
	_, failure := sinew(t, 1, "check", square, "--scene", obstacle(t, "0.6 0.1 0.3"))
	if !strings.Contains(failure, square+":") || !strings.Contains(failure, " and box would touch, at ") || !strings.Contains(failure, " at s = ") {
		t.Error(failure)
	}
	out, _ := sinew(t, 0, "check", square, "--scene", obstacle(t, "-0.7 0 0.3"))
	if !strings.Contains(out, "\ncontacts: ") {
		t.Error(out)
	}
}

func TestCheckPrintsTimesOutputsAndTheNearestSingularity(t *testing.T) {
	out, _ := sinew(t, 0, "check", square)
	for _, want := range []string{"square and circle: ", "pen becomes 1 at ", "nearest to a singularity: least singular value 0.18", "panda_joint7"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
}

// A moveJ by the names of joints ends nowhere that the text states: the picture shows where the tool is then, also where a blend passes beside it.
func TestDrawShowsWhereMovesOfTheJointsEnd(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "moves.yaml")
	text := "moves:\n  - moveJ: {panda_joint1: 30 deg}\n    blend: 20 mm\n  - moveJ: {panda_joint4: -110 deg}\ntools: {hand: {link: panda_hand}}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	picture := filepath.Join(dir, "moves.svg")
	sinew(t, 0, "draw", file, picture, "--path")
	svg, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(svg), "<circle"); n != 3*(2+2) {
		t.Errorf("%d discs: want two stops and two ends of moves in each of three plots", n)
	}
}

// execute runs any verb of sinew, which must succeed.
func execute(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if got := cli.Execute(args, &stdout, &stderr); got != 0 {
		t.Fatalf("sinew %s: exit code %d: %s", strings.Join(args, " "), got, stderr.String())
	}
	return strings.TrimSpace(stdout.String())
}

// The page about motion programs promises this: a box is carried over a wall by a path that is planned from where the program lifts it, and set down by a straight
// move; a circle follows. The check carries the box along. The same program runs on other arms after one changed line, and a plan for that arm.
func TestProgramCarriesABoxOverAWallOnThreeArms(t *testing.T) {
	const folder, wall = "../../examples/arm/", "../../examples/arm/wall.scene" // with the box, and what it stands on
	text, err := os.ReadFile(folder + "pick.yaml")
	if err != nil {
		t.Fatal(err)
	}
	panda := []string{"--robot", "../../models/panda/panda.urdf", "--locked", "panda_finger_joint1=0.02", "--start", "0,-0.7854,0,-2.3562,0,1.5708,0.7854"}
	ur5 := []string{"--robot", "../../models/ur5/ur5.urdf", "--start", "0,-1.2,1.5,-1.87,-1.5708,0"}
	ur5e := []string{"--robot", "../../models/ur5e/ur5e.urdf", "--start", "0,-1.2,1.5,-1.87,-1.5708,0"}
	check := func(robot []string, file string, more ...string) string {
		t.Helper()
		return execute(t, append(append([]string{"program", "check", file}, robot...), more...)...)
	}
	if out := check(panda, folder+"pick.yaml", "--scene", wall); !strings.Contains(out, "contacts: proved free") {
		t.Errorf("as it is: %s", out)
	}
	for _, arm := range []struct {
		robot, more []string
		link        string
	}{
		{panda, []string{"--srdf", folder + "panda.srdf", "--joints", "arm"}, "panda_hand"},
		{ur5, nil, "tool0"},
		{ur5e, nil, "tool0"},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "pick.yaml")
		now := string(text)
		if arm.link != "panda_hand" {
			now = strings.Replace(now, "hand: {link: panda_hand, xyz: [0, 0, 103 mm], touch: [panda_leftfinger, panda_rightfinger]}", "hand: {link: "+arm.link+", xyz: [0, 0, 103 mm]}", 1)
		}
		if err := os.WriteFile(file, []byte(now), 0o600); err != nil {
			t.Fatal(err)
		}
		start := check(arm.robot, file, "--end-of", "6") // the path does not exist yet
		path := execute(t, append([]string{"plan", arm.robot[1], "--scene", wall, "--carry", "box", "--clearance", "0.01", "--start", start, "--goal-pose", "0.45,-0.25,0.15,3.14159,0,0",
			"--tool", arm.link + ":0,0,0.103", "--keep", "upright", "--json"}, arm.more...)...)
		if err := os.WriteFile(filepath.Join(dir, "over.json"), []byte(path), 0o600); err != nil {
			t.Fatal(err)
		}
		if out := check(arm.robot, file, "--scene", wall); !strings.Contains(out, "contacts: proved free") || !strings.Contains(out, "gripper becomes 0 at ") || !strings.Contains(out, arm.link+" carries box from ") {
			t.Errorf("%s: %s", arm.link, out)
		}
		// The wall is in the way: a straight move of the joints touches it.
		direct := strings.Replace(now, "  - movePath: over.json  ", "  - moveJ: {xyz: [0, 250 mm, -50 mm]}  ", 1)
		if err := os.WriteFile(file, []byte(direct), 0o600); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		if code := cli.Execute(append([]string{"program", "check", file, "--scene", wall}, arm.robot...), &stdout, &stderr); code == 0 || !strings.Contains(stderr.String(), "would touch") {
			t.Errorf("%s goes through the wall: %s", arm.link, stderr.String())
		}
	}
}

func TestEndOfNamesMovesThatExist(t *testing.T) {
	for move, want := range map[string]string{"99": "has 13 moves", "-1": "wants the number of a move, from 1"} {
		if _, failure := sinew(t, 1, "check", square, "--end-of", move); !strings.Contains(failure, want) {
			t.Errorf("%s: %s", move, failure)
		}
	}
}
