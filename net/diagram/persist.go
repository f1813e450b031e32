package diagram

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/port"
)

// Kept holds values that an earlier run has left for parameters and state fields with the tag persist.
type Kept struct {
	Source  string                          // the file that holds them
	File    string                          // of the system, absolute; "": a program made it
	Written time.Time                       // when the earlier run wrote them; zero: nothing was kept
	Forget  string                          // the command that removes them; the name of a block, or BLOCK.NAME, may follow
	Values  map[string]map[string]port.Kept // by block and name
}

// Restore gives values that an earlier run has left to blocks that are added from now on, before their Setup. The net's notices name
// those that are restored, those that do not fit, and those that differ from what the configuration states. A net that is built without it
// keeps nothing.
func (d *Diagram) Restore(k *Kept) { d.kept = k }

// withKept returns the place of a block with the values that were kept of it.
func (d *Diagram) withKept(name string, p Place) Place {
	if d.kept != nil {
		p.Given.Kept = d.kept.Values[name]
	}
	return p
}

// keptNotices returns what an operator should know of the values that an earlier run has left for the blocks of a net.
func (d *Diagram) keptNotices(net *Net) (list []Notice) {
	if d.kept == nil {
		return nil
	}
	var restored []string
	for _, b := range net.Blocks {
		for _, r := range b.Restored {
			ref := b.Name + "." + r.Name
			if r.Why == "" {
				restored = append(restored, ref)
				continue
			}
			list = append(list, Notice{d.kept.Source, fmt.Sprintf("%s: %s; %s %s removes the kept value", ref, r.Why, d.kept.Forget, ref)})
		}
	}
	if len(restored) > 0 {
		list = append([]Notice{{d.kept.Source, "restored from an earlier run: " + strings.Join(restored, ", ")}}, list...)
	}
	for _, name := range slices.Sorted(maps.Keys(d.kept.Values)) {
		if d.byName[name] == nil && !d.broken[name] {
			list = append(list, Notice{d.kept.Source, fmt.Sprintf("values of block %q were kept, and there is no such block%s; %s %s removes them", name, nearest.Later(name, d.blockNames), d.kept.Forget, name)})
		}
	}
	return list
}

// KeptBytes returns the bytes of the thread's values that outlive the run, each with a header; 0 where there are none.
func (t *ThreadPlan) KeptBytes(header int) (n int) {
	for _, b := range t.Blocks {
		for _, p := range b.Persistent {
			n += header + p.Layout.Size()
		}
	}
	return n
}
