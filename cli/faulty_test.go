package cli_test

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Faulty fails in the way and at the step that its constants say. The ways "start", "stop", "close" and "check" are calls of its
// life, with "panic" or "hang" behind them.
type Faulty struct {
	How  block.Const[string]
	At   block.Const[int]     `default:"10"`
	Out  block.Out[float64]   `safe:"-7" watch:"yes"`
	Gain block.Param[float64] `default:"1"`
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
		case "hang":
			select {}
		case "spin":
			for busy.Load() {
			}
		}
	}
	return nil
}

var busy atomic.Bool // as long as a spinning step lasts: for good

func (f *Faulty) life(call string) error {
	switch f.How.Value() {
	case call + " panic":
		panic("wanted")
	case call + " hang":
		select {}
	}
	return nil
}

// Setup panics or hangs if the parameter names it, as Start, Stop, Close and CheckParams do.
func (f *Faulty) Setup(*block.Setup) error { return f.life("setup") }

// Start fails like Setup.
func (f *Faulty) Start() error { return f.life("start") }

// Stop reports on standard error that the block was stopped.
func (f *Faulty) Stop() error {
	fmt.Fprintln(os.Stderr, "stopped:", f.How.Value())
	return f.life("stop")
}

// Close is the last call.
func (f *Faulty) Close() error { return f.life("close") }

// CheckParams is called at the start and when a parameter changes: only then it fails.
func (f *Faulty) CheckParams() error {
	if f.Gain.Value() != 1 {
		return f.life("check")
	}
	return nil
}

func faultyBlocks() []block.Entry {
	busy.Store(true)
	return []block.Entry{block.Of[Faulty]("fails in the call that its parameter names"), block.Of[Gate]("has two triggers"),
		block.Of[Loud]("prints")}
}

// Gate runs when one of two outputs is new.
type Gate struct {
	OutA block.In[float64] `trigger:"yes"`
	OutB block.In[float64] `trigger:"yes"`
}

// Step does nothing.
func (g *Gate) Step(clock.Tick) error { return nil }

// Loud writes numbers of four digits that begin with its own one, and prints if it should.
type Loud struct {
	Digit block.Const[int]
	Print block.Const[bool]
	Out   block.Out[float64] `watch:"yes"`
}

// Step counts.
func (l *Loud) Step(t clock.Tick) error {
	l.Out.Write(float64(1000*l.Digit.Value()) + float64(t.N%1000))
	if l.Print.Value() && t.N%10 == 0 {
		fmt.Println("first prints", t.N/10)
	}
	return nil
}
