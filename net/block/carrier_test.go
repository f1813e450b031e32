package block_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/link"
)

func open(string) (link.Datagrams, error) { return nil, errors.ErrUnsupported }

func TestRegistryHoldsCarriersBesideBlocks(t *testing.T) {
	r := block.NewRegistry([]block.Entry{
		block.Carrier(link.Carrier{Name: "pigeon", Doc: "Birds.", MaxDatagram: 256, Open: open}),
		block.Carrier(link.Carrier{Name: "drum", Doc: "Sound.", MaxDatagram: 128, Open: open}),
	})
	if got := r.Carriers(); !slices.Equal(got, []string{"drum", "pigeon"}) {
		t.Errorf("the carriers are %v", got)
	}
	if c, ok := r.Carrier("pigeon"); !ok || c.MaxDatagram != 256 {
		t.Errorf("Carrier returns %+v, %v", c, ok)
	}
	if _, ok := r.Carrier("smoke"); ok || len(r.Types()) != 0 {
		t.Errorf("an unknown carrier was found, or a carrier is among the types of blocks %v", r.Types())
	}
}

func TestRegistrationRefusesCarriersThatAreNotValid(t *testing.T) {
	for want, c := range map[string]link.Carrier{
		`carrier "a b": a name consists of letters, digits, - and _`:   {Name: "a b", MaxDatagram: 256, Open: open},
		"carrier mute has no Open":                                     {Name: "mute", MaxDatagram: 256},
		"carrier tiny: MaxDatagram is 127 bytes, want 128 to 65507":    {Name: "tiny", MaxDatagram: 127, Open: open},
		"carrier few: MaxPeers is -1 and Period 0s, want none below 0": {Name: "few", MaxDatagram: 256, MaxPeers: -1, Open: open},
		"carrier twice is registered twice":                            {Name: "twice", MaxDatagram: 256, Open: open},
	} {
		func() {
			defer func() {
				misuse, ok := recover().(*block.Misuse)
				if !ok || !strings.Contains(misuse.Error(), want) {
					t.Errorf("%+v: %v, want %q", c, misuse, want)
				}
			}()
			list := []block.Entry{block.Carrier(c)}
			if c.Name == "twice" {
				list = append(list, list[0])
			}
			block.NewRegistry(list)
		}()
	}
}
