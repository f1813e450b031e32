package cli_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Hostile does in its Setup what no block should.
type Hostile struct {
	How block.Const[string]
	Out block.Out[float64]

	n   int
	all [][]byte
}

// Setup does it.
func (h *Hostile) Setup(*block.Setup) error {
	switch h.How.Value() {
	case "exit":
		os.Exit(3)
	case "success":
		os.Exit(0)
	case "panic":
		panic("wanted")
	case "panic elsewhere":
		go panic("wanted")
		time.Sleep(time.Hour)
	case "loop":
		for n := 0; ; n++ {
			h.n = n
		}
	case "sleep":
		time.Sleep(time.Hour)
	case "memory":
		for {
			h.all = append(h.all, make([]byte, 16<<20))
		}
	case "recursion":
		return deeper(0)
	case "print":
		fmt.Println(`{"verdict":{}}`)
	case "descendants":
		if err := exec.Command("sleep", "3600").Start(); err != nil {
			return err
		}
		time.Sleep(time.Hour)
	case "error":
		return errors.New("wanted")
	}
	return nil
}

func deeper(n int) error {
	if n < 0 {
		return nil
	}
	if err := deeper(n + 1); err != nil {
		return fmt.Errorf("%d: %w", n, err)
	}
	return nil
}

// Step does nothing: the harm is done before.
func (h *Hostile) Step(clock.Tick) error { return nil }

func hostileBlocks() []block.Entry { return []block.Entry{block.Of[Hostile]("does harm in its Setup")} }
