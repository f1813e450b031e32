package janus

import (
	"io/fs"
	"os"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// Both controllers give the same voltages: the compared programs do the same work.
func TestBothControllersGiveTheSameVoltages(t *testing.T) {
	const cycles = 500
	for path, files := range map[string]fs.FS{"cycle.yaml": nil, "cycle-feedforward.yaml": os.DirFS("../../models/janus")} {
		m, err := NewMonolith(files)
		if err != nil {
			t.Fatal(err)
		}
		sums, _, err := Run(path, cycles)
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
