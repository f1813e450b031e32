package block_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/schema"
)

func TestRegistryHoldsEncodingsAndSchedulersBesideBlocks(t *testing.T) {
	codec := func(*schema.Layout, map[string]string) (link.Codec, error) { return nil, nil }
	next := func([]link.Waiting) int { return 0 }
	list := []block.Entry{
		block.Encoding(link.Encoding{Name: "short", New: codec}), block.Scheduler(link.Scheduler{Name: "fair", Next: next}),
		block.Carrier(link.Carrier{Name: "short", MaxDatagram: 256, Open: open}), // a name of its own kind
	}
	r := block.NewRegistry(list)
	if _, ok := r.Encoding("short"); !ok || !slices.Equal(r.Encodings(), []string{"short"}) {
		t.Errorf("encodings %v", r.Encodings())
	}
	if _, ok := r.Scheduler("fair"); !ok || !slices.Equal(r.Schedulers(), []string{"fair"}) {
		t.Errorf("schedulers %v", r.Schedulers())
	}
	if again := block.NewRegistry(r.LinkEntries()); len(again.Carriers()) != 1 || len(again.Encodings()) != 1 || len(again.Schedulers()) != 1 {
		t.Error("LinkEntries does not return all of them")
	}
	for want, wrong := range map[string]block.Entry{
		"encoding short is registered twice":                           list[0],
		"scheduler fair is registered twice":                           list[1],
		"encoding mute has no New":                                     block.Encoding(link.Encoding{Name: "mute"}),
		"scheduler mute has no Next":                                   block.Scheduler(link.Scheduler{Name: "mute"}),
		`scheduler "a b": a name consists of letters, digits, - and _`: block.Scheduler(link.Scheduler{Name: "a b", Next: next}),
		`encoding "": a name consists of letters, digits, - and _`:     block.Encoding(link.Encoding{New: codec}),
	} {
		func() {
			defer func() {
				if misuse, ok := recover().(*block.Misuse); !ok || !strings.Contains(misuse.Error(), want) {
					t.Errorf("%v, want %q", misuse, want)
				}
			}()
			block.NewRegistry(list, []block.Entry{wrong})
		}()
	}
}
