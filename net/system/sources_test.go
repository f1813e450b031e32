package system_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

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
