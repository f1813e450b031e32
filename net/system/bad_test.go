package system_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
)

// Each file in testdata/bad ends with all the errors that it gives, behind "#!", in the order of writing.
func TestBadFilesReportAllTheirErrorsInOrder(t *testing.T) {
	files, _ := filepath.Glob("testdata/bad/*.yaml")
	if len(files) < 10 {
		t.Fatalf("%d files in testdata/bad", len(files))
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for line := range strings.Lines(string(text)) {
				if line, ok := strings.CutPrefix(strings.TrimSpace(line), "#! "); ok {
					want = append(want, line)
				}
			}
			got := errorsOf(t, path, system.Options{})
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("got\n#! %s\nwant\n#! %s", strings.Join(got, "\n#! "), strings.Join(want, "\n#! "))
			}
		})
	}
}

// errorsOf returns the errors of loading, without the folder and with / in paths.
func errorsOf(t *testing.T, path string, o system.Options) []string {
	t.Helper()
	o.Registry = registry()
	_, err := system.Load(path, o)
	var all diagram.Errors
	if !errors.As(err, &all) {
		t.Fatalf("got %v, want diagram.Errors", err)
	}
	dir := filepath.Dir(path) + string(filepath.Separator)
	var lines []string
	for _, e := range all {
		lines = append(lines, filepath.ToSlash(strings.ReplaceAll(e.Error(), dir, "")))
	}
	return lines
}

func TestUnreadableFilesAndWrongOptionsAreOneError(t *testing.T) {
	const head = "system: x\nthreads: {t: {period: 1ms}}\nblocks: {w: {type: rig.Wave}}\n"
	dir := write(t, "empty.yaml", "", "comment.yaml", "# nothing\n", "binary.yaml", "system: \x00x\n", "list.yaml", "- a\n",
		"latin.yaml", "system: \xff\xfe\n", "deep.yaml", strings.Repeat("[", 5000), "x.yaml", head,
		"arm.urdf", "<?xml version=\"1.0\"?>\n<robot name=\"arm\"/>", "page.xml", "<page/>", "moves.star", "def move():\n  pass\n", "run.mcap", "\x89MCAP0\r\n")
	huge, err := os.Create(filepath.Join(dir, "huge.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(huge.Truncate(system.MaxFileBytes+1), huge.Close()); err != nil { // a file of one hole
		t.Fatal(err)
	}
	for _, test := range []struct {
		file, want string
		options    system.Options
	}{
		{"missing.yaml", "read missing.yaml: ", system.Options{}},
		{"", "read ", system.Options{}}, // the folder itself
		{"empty.yaml", "empty.yaml: the file is empty", system.Options{}},
		{"comment.yaml", "comment.yaml: the file is empty", system.Options{}},
		{"binary.yaml", "read binary.yaml: not a text file", system.Options{}},
		{"latin.yaml", "latin.yaml", system.Options{}},
		{"list.yaml", `list.yaml:1:1: a system file is a mapping, such as "system: name"`, system.Options{}},
		{"huge.yaml", "read huge.yaml: larger than 64 MiB", system.Options{}},
		{"deep.yaml", "deep.yaml:", system.Options{}},
		{"x.yaml", "read nowhere.yaml: ", system.Options{Overlays: []string{filepath.Join(dir, "nowhere.yaml")}}},
		{"x.yaml", `--param w=1: the system has no parameter "w" (one of a block is block.w)`, system.Options{Params: []string{"w=1"}}},
		{"x.yaml", `--param: "=1": wants block.param=value, or param=value`, system.Options{Params: []string{"=1"}}},
		{"arm.urdf", `arm.urdf:1:1: not a system file, but the description of a robot, which blocks take as a parameter: sinew model show arm.urdf`, system.Options{}},
		{"page.xml", `page.xml:1:1: not a system file, but XML: sinew model show`, system.Options{}},
		{"moves.star", `moves.star:1:1: not a system file, but a script: sinew run SYSTEM.yaml --script moves.star`, system.Options{}},
		{"run.mcap", `read run.mcap: not a text file but a log: sinew plot, report and share read it`, system.Options{}},
		{"x.yaml", `--param v.amplitude=1: no block "v"; there is w`, system.Options{Params: []string{"v.amplitude=1"}}},
		{"x.yaml", `--param w.amplitud=1: block "w": `, system.Options{Params: []string{"w.amplitud=1"}}},
		{"x.yaml", `--param w.amplitude=-1: block "w": `, system.Options{Params: []string{"w.amplitude=-1"}}},
		{"x.yaml", `--param w.amplitude=.nan: block "w": `, system.Options{Params: []string{"w.amplitude=.nan"}}},
	} {
		got := errorsOf(t, filepath.Join(dir, test.file), test.options)
		if len(got) != 1 || !strings.HasPrefix(got[0], test.want) {
			t.Errorf("%s: got %q, want one error that begins with %q", test.file, got, test.want)
		}
	}
}

// Files that include each other in a circle, or without end, give one error each instead of a hang.
func TestCircularIncludesAreErrors(t *testing.T) {
	dir := write(t,
		"base.yaml", "base: other.yaml\nsystem: x\n", "other.yaml", "base: base.yaml\nsystem: x\n",
		"main.yaml", "system: x\ngroups: {a: {include: a.yaml}}\n",
		"a.yaml", "groups: {b: {include: b.yaml}, c: {include: b.yaml}}\n", "b.yaml", "groups: {d: {include: a.yaml}, e: {include: a.yaml}}\n")
	begin := time.Now()
	for file, count := range map[string]int{"base.yaml": 1, "main.yaml": 4} {
		got := errorsOf(t, filepath.Join(dir, file), system.Options{})
		if len(got) != count || !strings.Contains(got[0], "form a circle") {
			t.Errorf("%s: %q", file, got)
		}
	}
	// 2^40 groups, without a circle.
	files := []string{"main.yaml", "system: x\ngroups: {a: {include: g0.yaml}}\n", "g40.yaml", "description: the last\n"}
	for i := range 40 {
		next := "g" + itoa(i+1) + ".yaml"
		files = append(files, "g"+itoa(i)+".yaml", "groups: {a: {include: "+next+"}, b: {include: "+next+"}}\n")
	}
	got := errorsOf(t, filepath.Join(write(t, files...), "main.yaml"), system.Options{})
	if len(got) != 1 || !strings.Contains(got[0], "more than") {
		t.Errorf("%q", got)
	}
	t.Logf("took %v", time.Since(begin))
}

func itoa(n int) string { return strconv.Itoa(n) }
