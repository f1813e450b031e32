package janus

import (
	"io/fs"
	"os"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// Both controllers give the same voltages: the compared programs do the same work.
func TestBothControllersGiveTheSameVoltages(t *testing.T) {
	const cycles = 500
	for path, files := range map[string]fs.FS{"cycle.yaml": nil, "cycle-feedforward.yaml": os.DirFS("../../models/janus")} {
		m, err := NewMonolith(files, Bus{})
		if err != nil {
			t.Fatal(err)
		}
		sums, _, err := Run(path, cycles, Bus{})
		if err != nil {
			t.Fatal(err)
		}
		for range cycles {
			m.Step()
		}
		testkit.AllNear(t, path, sums[:], []float64{m.cards[0].sum, m.cards[1].sum}, 1e-9)
		if m.cards[0].sum == 0 {
			t.Error("no voltage at all")
		}
	}
}

// A base frame of CAN 2.0 has 44 bits beside its data, and three between frames (ISO 11898-1): one of eight bytes takes 111 µs at 1 Mbit/s.
func TestTransfersTakeAtLeastTheTimeOfTheirFrames(t *testing.T) {
	bus := Bus{Rate: 1e6}
	begin := time.Now()
	bus.Transfer(8)
	if took := time.Since(begin); took < 111*time.Microsecond {
		t.Errorf("a frame of eight bytes takes %v", took)
	}
}

// Both controllers use the bus alike: three frames a joint and cycle.
func TestBothControllersUseTheBus(t *testing.T) {
	const cycles = 5
	least := 2 * cycles * time.Duration(3*frameBits+8*4+8*4) * time.Microsecond
	m, err := NewMonolith(nil, Bus{Rate: 1e6})
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	for range cycles {
		m.Step()
	}
	if took := time.Since(begin); took < least {
		t.Errorf("by hand %d cycles take %v, the frames %v", cycles, took, least)
	}
	if _, cycle, err := Run("cycle.yaml", cycles, Bus{Rate: 1e6}); err != nil || cycle*cycles < least {
		t.Errorf("through the net %d cycles take %v each, the frames %v in all: %v", cycles, cycle, least, err)
	}
}
