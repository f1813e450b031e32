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
	const duration = 10 * time.Second
	measure := func(logPath string) (time.Duration, error) {
		return best(3, func() (time.Duration, error) {
			d, lost, err := busy(path, logPath, duration, (*thread.Core).RunVirtual)
			if lost > 0 && err == nil {
				err = fmt.Errorf("%d samples lost in virtual time", lost)
			}
			return d, err
		})
	}
	silent, err := measure("")
	if err != nil {
		return err
	}
	logged, err := measure(log)
	if err != nil {
		return err
	}
	const awake = 5 * time.Second // in real time
	lost := uint64(0)
	inRealTime := func(logPath string) (time.Duration, error) {
		return best(3, func() (time.Duration, error) {
			d, n, err := busy(path, logPath, awake, func(c *thread.Core, ctx context.Context) error { return c.Run(ctx, nil) })
			lost = max(lost, n)
			return d, err
		})
	}
	sleeping, err := inRealTime("")
	if err != nil {
		return err
	}
	sleepingLogged, err := inRealTime(log)
	if err != nil {
		return err
	}
	share := func(d, of time.Duration) float64 { return 100 * d.Seconds() / of.Seconds() }
	fmt.Println("| two threads at 30 kHz, one number each | of a core |")
	fmt.Println("|---|---|")
	fmt.Printf("| the recorder's part, without sleeping (target: under 10 %%) | %.1f %% |\n", share(logged-silent, duration))
	fmt.Printf("| the loops, without sleeping | %.1f %% |\n", share(silent, duration))
	fmt.Printf("| the recorder's part in real time, with its sleeps (target: under 10 %%) | %.1f %% |\n", share(sleepingLogged-sleeping, awake))
	fmt.Printf("| the loops in real time, with their sleeps | %.1f %% |\n", share(sleeping, awake))
	fmt.Printf("| samples lost in %v of real time, the most of three runs | %d |\n", awake, lost)
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
