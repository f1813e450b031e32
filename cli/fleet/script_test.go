package fleet_test

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/internal/testkit/scripts"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
)

// Unstartable is a block whose Start panics.
type Unstartable struct{ Out block.Out[float64] }

// Step writes 0.
func (u *Unstartable) Step(clock.Tick) error {
	u.Out.Write(0)
	return nil
}

// Start panics.
func (u *Unstartable) Start() error { panic(errors.New("wanted")) }

// Slow is a block that takes a second to start; its first step writes the file stepped.
type Slow struct {
	Out     block.Out[float64]
	stepped bool
}

// Start waits for a second.
func (s *Slow) Start() error {
	time.Sleep(time.Second)
	return nil
}

// Step writes 0.
func (s *Slow) Step(clock.Tick) error {
	s.Out.Write(0)
	if s.stepped {
		return nil
	}
	s.stepped = true
	return os.WriteFile("stepped", nil, 0o600)
}

// Count is a block that counts its steps over all runs.
type Count struct {
	Out   block.Out[float64]
	Began block.Out[float64] // the number in Start
	began float64
	steps float64 `persist:"yes"`
}

// Start notes the number that an earlier run has left.
func (c *Count) Start() error {
	c.began = c.steps
	return nil
}

// Step writes the number of steps.
func (c *Count) Step(clock.Tick) error {
	c.steps++
	c.Out.Write(c.steps)
	c.Began.Write(c.began)
	return nil
}

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sinew": func() {
		os.Exit(cli.Main(flow.Blocks(), servo.Blocks(), []block.Entry{block.Of[Unstartable]("panics in Start"), block.Of[Slow]("takes a second to start"), block.Of[Count]("counts its steps over all runs")}))
	}})
}

// TestVerbsPassScripts runs the verbs of this package as a user does: testdata/script/*.txtar.
func TestVerbsPassScripts(t *testing.T) { scripts.Run(t) }
