package arch

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

const page = `# A page

## Packages

Words before the table.

| package | role | may import |
|---|---|---|
| **robot/** | *mathematics* | |
| ` + "`robot/spatial`" + ` | vectors | – |
| ` + "`robot/sim`" + ` | simulation | spatial |
| ` + "`net/block`" + ` | blocks | – |
| ` + "`device`" + ` | contract | robot/spatial |
| ` + "`device/<driver>`" + ` | drivers | device, robot/… |
| ` + "`cli`" + ` | verbs | everything above it |
| ` + "`examples/…`" + ` | ideas | everything above it |

Words after it.

## Planned

| package | role | may import |
|---|---|---|
| ` + "`net/link`" + ` | transport | block |

## Input and output

| package | what |
|---|---|
| ` + "`device/<driver>`" + ` | hardware |
`

// module returns files of a module that keeps all rules of the page, with changes.
func module(change map[string]string) fstest.MapFS {
	files := map[string]string{
		"go.mod":                   "module m\n",
		"robot/spatial/a.go":       "package spatial\n",
		"robot/sim/a.go":           "package sim\nimport _ \"m/robot/spatial\"\n",
		"net/block/a.go":           "package block\nimport _ \"net/netip\"\n",
		"device/a.go":              "package device\nimport _ \"m/robot/spatial\"\n",
		"device/arm/a.go":          "package arm\nimport (\n_ \"m/device\"\n_ \"m/robot/sim\"\n_ \"os\"\n)\n",
		"cli/a.go":                 "package cli\nimport _ \"m/device/arm\"\n",
		"examples/one/a.go":        "package main\nimport _ \"m/examples/one/inner\"\n",
		"examples/one/inner/a.go":  "package inner\nimport _ \"m/cli\"\n",
		"net/block/a_test.go":      "package block\nimport (\n_ \"m/cli\"\n_ \"os\"\n)\n",
		"net/block/testdata/x.go":  "not go",
		"net/block/_old/x.go":      "not go",
		".hidden/x.go":             "not go",
		"robot/sim/gen.go":         "//go:build ignore\n\npackage main\nimport _ \"os\"\n",
		"tools/other/go.mod":       "module other\n",
		"tools/other/a.go":         "package other\n",
		"robot/spatial/go_test.go": "package spatial\nfunc f() { go f() }\n",
	}
	for name, text := range change {
		files[name] = text
	}
	fsys := fstest.MapFS{}
	for name, text := range files {
		if text != "" {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return fsys
}

func TestRulesReportEachViolation(t *testing.T) {
	long := strings.Repeat("\n", MaxLines)
	for _, c := range []struct {
		name   string
		change map[string]string
		want   string // the one violation, or none
	}{
		{"all rules kept", nil, ""},
		{"import of a row below", map[string]string{"net/block/b.go": "package block\nimport _ \"m/cli\"\n"},
			"net/block/b.go:2: net/block may not import cli (ARCHITECTURE.md:12 lists: nothing)"},
		{"import of a row above that is not listed", map[string]string{"device/b.go": "package device\nimport _ \"m/robot/sim\"\n"},
			"device/b.go:2: device may not import robot/sim (ARCHITECTURE.md:13 lists: robot/spatial)"},
		{"import for another system", map[string]string{"robot/sim/a_windows.go": "package sim\nimport _ \"m/net/block\"\n"},
			"robot/sim/a_windows.go:2: robot/sim may not import net/block (ARCHITECTURE.md:11 lists: spatial)"},
		{"driver imports driver", map[string]string{"device/leg/a.go": "package leg\nimport _ \"m/device/arm\"\n"},
			"device/leg/a.go:2: device/leg may not import device/arm (ARCHITECTURE.md:14 lists: device, robot/…)"},
		{"package without a row", map[string]string{"net/new/a.go": "package fresh\n"},
			"package net/new has no row in ARCHITECTURE.md: add it below all that it imports"},
		{"package too deep for its row", map[string]string{"device/arm/leg/a.go": "package leg\n"},
			"package device/arm/leg has no row in ARCHITECTURE.md: add it below all that it imports"},
		{"row without a package", map[string]string{"net/block/a.go": ""},
			"ARCHITECTURE.md:12: row net/block has no package: write it or move the row to the planned ones"},
		{"planned package exists", map[string]string{"net/link/a.go": "package link\n"},
			"ARCHITECTURE.md:24: net/link is planned but exists: move its row to the table of packages"},
		{"input and output", map[string]string{"cli/b.go": "package cli\nimport _ \"net/http\"\n"},
			`cli/b.go:2: cli may not import "net/http": it is not among the packages that do input and output`},
		{"goroutine in robot", map[string]string{"robot/sim/b.go": "package sim\nfunc f() {\n\tgo f()\n}\n"},
			"robot/sim/b.go:3: goroutine in robot/"},
		{"goroutine without a table", map[string]string{"net/block/b.go": "package block\nimport \"sync\"\nfunc f(x *struct{ work sync.WaitGroup }) {\n\tx.work.Go(f)\n}\n"},
			"net/block/b.go:4: f starts a goroutine: name it in the section \"# Goroutines\" of the doc of package net/block"},
		{"goroutine of a verb without a table", map[string]string{"cli/b.go": "package cli\nfunc f() {\n\tgo f()\n}\n"},
			"cli/b.go:3: f starts a goroutine: name it in the section \"# Goroutines\" of the doc of package cli"},
		{"goroutine with a table", map[string]string{"net/block/b.go": "// Package block\n//\n// # Goroutines\n//\n//\tone\tx.f\t1\npackage block\nfunc f() { go f() }\n"}, ""},
		{"goroutine of a function that the table lacks", map[string]string{"net/block/b.go": "// Package block\n//\n// # Goroutines\n//\n//\tone\tg\n//\n// # F\n//\n// f\npackage block\nfunc f() { go f() }\n"},
			"net/block/b.go:11: f starts a goroutine: name it in the section \"# Goroutines\" of the doc of package net/block"},
		{"goroutine of a group of another package", map[string]string{"net/block/b.go": "package block\nfunc (x *T) f() { x.front.Go(func() {}) }\n"},
			"net/block/b.go:2: f starts a goroutine: name it in the section \"# Goroutines\" of the doc of package net/block"},
		{"goroutine that its function waits for", map[string]string{"net/block/b.go": "package block\nimport \"sync\"\nfunc f() { var w sync.WaitGroup; w.Go(f) }\n"}, ""},
		{"init", map[string]string{"cli/b.go": "package cli\nfunc init() {}\n"},
			"cli/b.go:2: func init: register and set up explicitly"},
		{"long file", map[string]string{"cli/b.go": "package cli\n" + long},
			"cli/b.go has 801 lines, at most 800 are allowed: divide it by topic"},
		{"long generated file", map[string]string{"cli/b.go": "// Code generated by x. DO NOT EDIT.\n\npackage cli\n" + long}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, err := Scan(module(c.change))
			if err != nil {
				t.Fatal(err)
			}
			rows := table(t, page, "Packages")
			got := CheckTable(rows)
			got = append(got, CheckRows(rows, table(t, page, "Planned"), files)...)
			got = append(got, CheckImports("m", rows, files)...)
			got = append(got, CheckIO(table(t, page, "Input and output"), files)...)
			got = append(got, CheckGoroutines(files)...)
			got = append(got, CheckInit(files)...)
			lengths, _ := CheckLengths(files)
			got = append(got, lengths...)
			if joined := strings.Join(got, "\n"); joined != c.want {
				t.Errorf("violations:\n%s\nexpected:\n%s", joined, c.want)
			}
		})
	}
}

func TestCheckLengthsWarnsOfLongFiles(t *testing.T) {
	_, warnings := CheckLengths([]File{{Path: "a.go", Lines: WarnLines}, {Path: "b.go", Lines: WarnLines + 1}})
	if len(warnings) != 1 || !strings.HasPrefix(warnings[0], "b.go has 501 lines") {
		t.Errorf("warnings %q, expected one about b.go", warnings)
	}
}

func TestCheckSizesReportsLargePackages(t *testing.T) {
	long := File{Path: "a/long.go", Lines: MaxPackageLines}
	var many []File
	for i := range MaxPackageFiles {
		many = append(many, File{Path: fmt.Sprintf("b/%d.go", i), Lines: 1})
	}
	if got := CheckSizes(append(many, long, File{Path: "a/a_test.go", Lines: 1, Test: true}, File{Path: "b/x.go", Generated: true})); len(got) != 0 {
		t.Errorf("violations %q of packages at the limit", got)
	}
	got := CheckSizes(append(many, long, File{Path: "a/a.go", Lines: 1}, File{Path: "b/b.go"}))
	if len(got) != 2 || !strings.HasPrefix(got[0], "package a has 2 files with 5001 lines") || !strings.HasPrefix(got[1], "package b has 46 files with 45 lines") {
		t.Errorf("violations %q, expected one of a and one of b", got)
	}
}

func TestCheckTableRejectsWhatIsNotAbove(t *testing.T) {
	for want, change := range map[string][2]string{
		`net/block may import cli: "cli" is not above this row`:               {"| blocks | – |", "| blocks | cli |"},
		`net/block may import block: "block" is not above this row`:           {"| blocks | – |", "| blocks | block |"},
		`net/block may import blcok: no row is named "blcok"`:                 {"| blocks | – |", "| blocks | blcok |"},
		`robot/spatial may import device/…: no row above lies under "device"`: {"| vectors | – |", "| vectors | device/… |"},
		`ARCHITECTURE.md:12: robot/sim has a row already, in line 11`:         {"`net/block` | blocks", "`robot/sim` | blocks"},
	} {
		got := CheckTable(table(t, strings.Replace(page, change[0], change[1], 1), "Packages"))
		if len(got) != 1 || !strings.HasSuffix(got[0], want) {
			t.Errorf("violations %q, expected %q", got, want)
		}
	}
}

func TestParseTableFailsWithoutTable(t *testing.T) {
	for page, want := range map[string]string{
		"":                             `no heading "## Packages"`,
		"## Packages\n\nwords\n## X\n": `no table under "## Packages"`,
	} {
		if _, err := ParseTable(page, "Packages"); err == nil || err.Error() != want {
			t.Errorf("page %q: error %v, expected %s", page, err, want)
		}
	}
}

func TestScanReportsWhereAFileIsBroken(t *testing.T) {
	_, err := Scan(module(map[string]string{"cli/b.go": "package cli\nfunc {\n"}))
	if err == nil || !strings.Contains(err.Error(), "cli/b.go:2:") {
		t.Errorf("error %v, expected cli/b.go:2", err)
	}
}
