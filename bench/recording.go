package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/run"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// Tone writes a sine in every step: data to record.
type Tone struct {
	Out block.Out[float64]
}

// Step writes the next value.
func (s *Tone) Step(t clock.Tick) error {
	s.Out.Write(math.Sin(t.Time.Seconds()))
	return nil
}

const twoThreads = `system: recording
threads:
  first: {period: 33333ns, priority: 80}
  second: {period: 33333ns, priority: 79}
blocks:
  tone1: {type: main.Tone, thread: first}
  tone2: {type: main.Tone, thread: second}
`

// recording measures the processor time of recording two threads at 30 kHz: in virtual time, where nothing sleeps, and in real time with what
// sleeping and waking cost, which also shows how many samples are lost.
func recording() error {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path, log := filepath.Join(dir, "recording.yaml"), filepath.Join(dir, "log.mcap")
	if err := os.WriteFile(path, []byte(twoThreads), 0o666); err != nil {
		return err
	}
	lost := uint64(0)
	share := func(logPath string, length time.Duration, execute func(*thread.Core, context.Context) error) (percent float64, err error) {
		least, err := best(3, func() (time.Duration, error) {
			d, n, err := busy(path, logPath, length, execute)
			lost = max(lost, n)
			return d, err
		})
		return 100 * least.Seconds() / length.Seconds(), err
	}
	awake := func(c *thread.Core, ctx context.Context) error { return c.Run(ctx, nil) }
	silent, err1 := share("", 10*time.Second, (*thread.Core).RunVirtual)
	logged, err2 := share(log, 10*time.Second, (*thread.Core).RunVirtual)
	silentAwake, err3 := share("", 5*time.Second, awake)
	loggedAwake, err4 := share(log, 5*time.Second, awake)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return err
	}
	fmt.Println("| two threads at 30 kHz, one number each | of a core |")
	fmt.Println("|---|---|")
	fmt.Printf("| the recorder's part, without sleeping (target: under 10 %%) | %.1f %% |\n", logged-silent)
	fmt.Printf("| the loops, without sleeping | %.1f %% |\n", silent)
	fmt.Printf("| the recorder's part in real time, with its sleeps (target: under 10 %%) | %.1f %% |\n", loggedAwake-silentAwake)
	fmt.Printf("| the loops in real time, with their sleeps | %.1f %% |\n", silentAwake)
	fmt.Printf("| samples lost, the most of a run | %d |\n", lost)
	return nil
}

// busy runs a system and returns the processor time it used.
func busy(path, logPath string, duration time.Duration, execute func(*thread.Core, context.Context) error) (d time.Duration, lost uint64, err error) {
	s, err := system.Load(path, system.Options{Registry: block.NewRegistry([]block.Entry{block.Of[Tone]("A sine.")})})
	if err != nil {
		return 0, 0, err
	}
	core := thread.New(s.Net, thread.Options{Until: clock.At(duration)})
	begin := processorTime()
	if logPath == "" {
		err := execute(core, context.Background())
		return processorTime() - begin, 0, err
	}
	recorder, err := run.StartRecording(s, core.Front(), logPath)
	if err != nil {
		return 0, 0, err
	}
	err = errors.Join(execute(core, context.Background()), recorder.Close(true))
	return processorTime() - begin, recorder.Lost(), err
}
