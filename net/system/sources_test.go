package system_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
)

// All files of a system are listed, whatever is wrong with them.
func TestSourcesListsBrokenFilesToo(t *testing.T) {
	dir := tree(t, append([]string{
		"over.yaml", "include: [more.yaml]\ngroups: {left: {blocks: {}}, legs: {groups: {front: {include: hand/fingers.yaml}}}}\n",
		"more.yaml", "links: [\n",
		"lab.yaml", "base: robot.yaml\nblocks: {x: {type: no.Such}}\n",
	}, robot...)...)
	t.Chdir(dir)
	want := []system.Source{
		{Path: "lab.yaml", Kind: system.MainSource},
		{Path: "robot.yaml", Kind: system.BaseSource},
		{Path: "arm/arm.yaml", Kind: system.IncludedSource},
		{Path: "common.yaml", Kind: system.IncludedSource},
		{Path: "hand/hand.yaml", Kind: system.IncludedSource},
		{Path: "over.yaml", Kind: system.OverlaySource},
		{Path: "more.yaml", Kind: system.IncludedSource},
		{Path: "hand/fingers.yaml", Kind: system.GroupSource, Groups: []string{"fingers", "legs.front"}},
	}
	for i := range want {
		want[i].Path = filepath.Join(dir, filepath.FromSlash(want[i].Path))
	}
	o := system.Options{Overlays: []string{"over.yaml"}}
	if got := system.Sources("lab.yaml", o); !reflect.DeepEqual(got, want) {
		t.Errorf("sources\n%+v\nwant\n%+v", got, want)
	}
	if err := os.WriteFile("lab.yaml", []byte("base: ["), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := system.Sources("lab.yaml", system.Options{}); len(got) != 1 {
		t.Errorf("sources of a broken file %+v", got)
	}
	if got := system.Sources("nowhere.yaml", o); len(got) != 2 { // the overlay, and what it includes
		t.Errorf("sources of no file %+v", got)
	}
}

// Recipe reads a text file that people edit.
type Recipe struct {
	Recipes block.Const[[]string] `file:"recipe"`
}

func (r *Recipe) Setup(s *block.Setup) error {
	var faults []error
	for _, name := range r.Recipes.Value() {
		switch text, err := fs.ReadFile(s.Files(), name); {
		case err != nil:
			faults = append(faults, err)
		case !bytes.HasPrefix(text, []byte("salt")):
			faults = append(faults, &block.FileError{File: name, Line: 2, Column: 3, Err: errors.New("no salt")})
		}
	}
	return errors.Join(faults...)
}

func (r *Recipe) Step(clock.Tick) error { return nil }

// recipeTree is a system of two blocks that read files, one of them in a group with a folder of its own.
func recipeTree(t *testing.T) (dir string, o system.Options) {
	dir = tree(t,
		"kitchen.yaml", "system: kitchen\nthreads: {t: {period: 1ms}}\nblocks:\n  a: {type: rig.Recipe, params: {recipes: [soup.txt, missing.txt]}}\ngroups: {cold: {include: cold/cold.yaml}}\n",
		"cold/cold.yaml", "blocks:\n  b: {type: rig.Recipe, params: {recipes: [../soup.txt, salad.txt]}}\n",
		"soup.txt", "salt", "cold/salad.txt", "salt", "bread.txt", "salt")
	return dir, system.Options{Registry: block.NewRegistry([]block.Entry{{Type: "rig.Recipe", Doc: "Reads recipes.", New: func() block.Block { return new(Recipe) }}})}
}

// Files that blocks read and people edit are files of the system, beside those that describe it.
func TestSourcesListsFilesThatBlocksRead(t *testing.T) {
	dir, o := recipeTree(t)
	t.Chdir(dir)
	o.Params = []string{"a.recipes=[bread.txt, soup.txt]"}
	want := []system.Source{
		{Path: "kitchen.yaml", Kind: system.MainSource},
		{Path: "cold/cold.yaml", Kind: system.GroupSource, Groups: []string{"cold"}},
		{Path: "bread.txt", Kind: system.BlockSource, Blocks: []string{"a"}, Format: "recipe"},
		{Path: "soup.txt", Kind: system.BlockSource, Blocks: []string{"a", "cold.b"}, Format: "recipe"},
		{Path: "cold/salad.txt", Kind: system.BlockSource, Blocks: []string{"cold.b"}, Format: "recipe"},
	}
	for i := range want {
		want[i].Path = filepath.Join(dir, filepath.FromSlash(want[i].Path))
	}
	if got := system.Sources("kitchen.yaml", o); !reflect.DeepEqual(got, want) {
		t.Errorf("sources\n%+v\nwant\n%+v", got, want)
	}
}

// A mistake in such a file has its place there; a candidate's text takes the place of the file on the disk.
func TestMistakesInFilesOfBlocksHaveTheirPlaceThere(t *testing.T) {
	dir, o := recipeTree(t)
	soup, salad := filepath.Join(dir, "soup.txt"), filepath.Join(dir, "cold", "salad.txt")
	o.Candidate, o.Texts = true, map[string][]byte{soup: []byte("pepper"), salad: []byte("oil")}
	o.Params = []string{"a.recipes=[bread.txt, soup.txt]"}
	_, err := system.Load(filepath.Join(dir, "kitchen.yaml"), o)
	var all diagram.Errors
	if !errors.As(err, &all) {
		t.Fatalf("got the error %v", err)
	}
	var got []string
	for _, e := range all {
		got = append(got, filepath.ToSlash(strings.TrimPrefix(filepath.Clean(e.Error()), dir)))
	}
	slices.Sort(got)
	want := []string{`/cold/salad.txt:2:3: block "cold.b": no salt`, `/soup.txt:2:3: block "a": no salt`, `/soup.txt:2:3: block "cold.b": no salt`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
