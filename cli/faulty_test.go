package cli_test

import (
	"errors"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Faulty fails in the way and at the step that its constants say.
type Faulty struct {
	How block.Const[string]
	At  block.Const[int]   `default:"10"`
	Out block.Out[float64] `safe:"-7" watch:"yes"`
}

var errWanted = errors.New("wanted")

// Step counts, and fails when it is time.
func (f *Faulty) Step(t clock.Tick) error {
	f.Out.Write(float64(t.N))
	if int(t.N) == f.At.Value() {
		switch f.How.Value() {
		case "error":
			return errWanted
		case "panic":
			var none []int
			_ = none[t.N]
		}
	}
	return nil
}

func faultyBlocks() []block.Entry {
	return []block.Entry{block.Of[Faulty]("fails when it is told to")}
}
