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
