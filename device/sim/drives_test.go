package sim

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

func TestDrivesReportAllMistakesOfAFile(t *testing.T) {
	const good = `robot: janus
drives:
  joint1: &d
    motor: {resistance: 2, torque_constant: 0.02, rotor_inertia: 1e-6}
    gear: {ratio: 100}
    encoder: {lines: 500}
    amplifier: {supply: 24}
  joint2: *d
`
	if f, err := parseDrives([]byte(good), "good.yaml"); err != nil || f.Drives["joint2"].Gear.Ratio != 100 {
		t.Fatalf("a good file: %+v, %v", f, err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"resistance: 2", "resistence: 2", `4:13: drive of joint1: unknown key "resistence"; did you mean "resistance"?`},
		{"resistance: 2", "resistence: 2", `4:12: drive of joint1: resistance is missing`},
		{"24", "24 V", `7:25: expected a number without its unit, found "24 V"`},
		{"24", "-24", `7:25: -24: must be positive`},
		{"100", ".nan", `5:19: expected a number`},
		{"{ratio: 100}", "{ratio: 100, efficiency: 1.2}", `5:36: 1.2: must be above 0 and at most 1`},
		{"lines: 500", "lines: 5.5", `6:22: expected a whole number from 1 to 100000000, found "5.5"`},
		{"encoder: {lines: 500}", "encoder: 500", `6:14: drive of joint1: expected keys with values, found "500"`},
		{"lines: 500", "lines: 500, reversed: maybe", `6:37: expected true or false, found "maybe"`},
		{"    gear", "    motor: {}\n    gear", `5:5: drive of joint1: key "motor" stands here a second time`},
		{"    gear: {ratio: 100}", "    friction: {coulomb: 2, static: 1}", `3:3: drive of joint1: Friction.Static = 1: must not be below Coulomb = 2`},
		{"joint2: *d", "joint2:", `drive of joint2: expected keys with values, found nothing`},
		{"robot: janus", "", "the file: robot is missing"},
		{"joint2: *d", "joint2: [", "not YAML"},
		{good, "", "1:1: the file is empty"},
		{good, "- 1", "1:1: the file: expected keys with values, found a list"},
	} {
		_, err := parseDrives([]byte(strings.Replace(good, c.old, c.new, 1)), "bad.yaml")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "bad.yaml") {
			t.Errorf("%q instead of %q:\n got %v\nwant %s", c.new, c.old, err, c.want)
		}
	}
}

func TestLoadComparesTheFiles(t *testing.T) {
	urdf, err := os.ReadFile("../../models/janus/janus.urdf")
	if err != nil {
		t.Fatal(err)
	}
	drives, err := os.ReadFile("../../models/janus/drives.yaml")
	if err != nil {
		t.Fatal(err)
	}
	load := func(drives string) error {
		_, err := Load(fstest.MapFS{"r.urdf": {Data: urdf}, "d.yaml": {Data: []byte(drives)}}, "r.urdf", "d.yaml")
		return err
	}
	if err := load(string(drives)); err != nil {
		t.Fatal(err)
	}
	err = load(strings.Replace(strings.Replace(string(drives), "joint2:", "jiont2:", 1), "robot: janus", "robot: romulus", 1))
	for _, want := range []string{`"romulus"`, `no drive for joint "joint2"`, `"jiont2"`, `did you mean "joint2"?`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error does not say %s:\n%v", want, err)
		}
	}
	_, err = Load(fstest.MapFS{}, "r.urdf", "d.yaml")
	if err == nil || !strings.Contains(err.Error(), "r.urdf") || !strings.Contains(err.Error(), "d.yaml") {
		t.Errorf("missing files: %v", err)
	}
}

func FuzzReadDrives(f *testing.F) {
	good, err := os.ReadFile("../../models/janus/drives.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte("robot: x\ndrives: &a {b: *a}"))
	f.Add([]byte("robot: x\ndrives: {j: {motor: {resistance: 1e999}}}"))
	f.Add([]byte("? [a]\n: b"))
	f.Add([]byte("robot: !!binary a\n<<: {drives: 1}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := parseDrives(data, "f.yaml")
		if err != nil {
			return
		}
		for name, d := range file.Drives {
			if err := d.check(); err != nil {
				t.Errorf("an impossible drive of %q was accepted: %v", name, err)
			}
		}
	})
}
