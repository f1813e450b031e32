package system_test

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// registry has the few types of blocks that the files in testdata use.
func registry() *block.Registry {
	return block.NewRegistry([]block.Entry{
		{Type: "rig.Wave", Doc: "A sine.", New: func() block.Block { return new(Wave) }},
		{Type: "rig.Gain", Doc: "Multiplies.", New: func() block.Block { return new(Gain) }},
		{Type: "rig.Sum", Doc: "Adds.", New: func() block.Block { return new(Sum) }},
		{Type: "rig.Fork", Doc: "Has inputs with names of outputs.", New: func() block.Block { return new(Fork) }},
		{Type: "rig.Vector", Doc: "Multiplies a list.", New: func() block.Block { return new(Vector) }},
		{Type: "rig.Stage", Doc: "A module with two directions.", New: func() block.Block { return new(Stage) }},
		{Type: "rig.Names", Doc: "Has names.", New: func() block.Block { return new(Names) }},
		{Type: "rig.Model", Doc: "Reads a file.", New: func() block.Block { return new(Model) }},
	})
}

// Wave writes a sine of 1 Hz.
type Wave struct {
	Amplitude block.Param[float64] `unit:"rad" default:"1" min:"0"`
	Out       block.Out[float64]   `unit:"rad" watch:"yes"`
}

func (w *Wave) Step(t clock.Tick) error {
	w.Out.Write(w.Amplitude.Value() * math.Sin(2*math.Pi*t.Time.Seconds()))
	return nil
}

// Gain multiplies.
type Gain struct {
	Gain   block.Param[float64]   `default:"1" max:"1000"`
	Limits block.Param[[]float64] `doc:"least and greatest output"`
	In     block.In[float64]
	Angle  block.In[float64] `unit:"rad"`
	Speed  block.In[float64] `unit:"rad/s"`
	Count  block.In[int64]
	Out    block.Out[float64]
}

func (g *Gain) Step(clock.Tick) error {
	v, _ := g.In.Read()
	g.Out.Write(g.Gain.Value() * v)
	return nil
}

// Sum adds two numbers.
type Sum struct {
	A, B block.In[float64]
	Out  block.Out[float64]
}

func (s *Sum) Step(clock.Tick) error {
	a, _ := s.A.Read()
	b, _ := s.B.Read()
	s.Out.Write(a + b + 1)
	return nil
}

// Fork has inputs that are named as the output of a Wave is, with and without numbers.
type Fork struct {
	Out, Out1, Out2 block.In[float64]
}

func (f *Fork) Step(clock.Tick) error { return nil }

// Vector multiplies each element.
type Vector struct {
	N   block.Const[int] `default:"1" min:"1" max:"100"`
	In  block.In[[]float64]
	Out block.Out[[]float64]
}

func (v *Vector) Setup(s *block.Setup) error {
	s.Len(v.N.Value(), &v.In, &v.Out)
	return nil
}

func (v *Vector) Step(clock.Tick) error { return nil }

// Stage is a module of a hierarchy.
type Stage struct {
	Up   block.In[float64]  `part:"sense"`
	UpTo block.Out[float64] `part:"sense"`
	Down block.In[float64]  `part:"control"`
	To   block.Out[float64] `part:"control"`
}

func (s *Stage) Sense(clock.Tick) error {
	v, _ := s.Up.Read()
	s.UpTo.Write(v + 1)
	return nil
}

func (s *Stage) Control(clock.Tick) error {
	v, _ := s.Down.Read()
	s.To.Write(v + 1)
	return nil
}

// Names has a list of texts.
type Names struct {
	Names block.Const[[]string]
}

// Model reads a description of a robot, as blocks of servo read their URDF.
type Model struct {
	URDF block.Const[string]
}

func (m *Model) Setup(s *block.Setup) error {
	text, err := fs.ReadFile(s.Files(), m.URDF.Value())
	if err != nil {
		return fmt.Errorf("urdf: %w", err)
	}
	var robot struct {
		XMLName xml.Name `xml:"robot"`
	}
	if err := xml.Unmarshal(text, &robot); err != nil {
		return fmt.Errorf("urdf: %s: %w", m.URDF.Value(), err)
	}
	return nil
}

func (m *Model) Step(clock.Tick) error { return nil }

// write puts files into a new folder and returns it. Pairs of name and text.
func write(t testing.TB, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(files[i+1]), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func load(t testing.TB, path string, o system.Options) *system.System {
	t.Helper()
	o.Registry = registry()
	s, err := system.Load(path, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// execute runs a system in virtual time.
func execute(t testing.TB, s *system.System, o thread.Options) *thread.Core {
	t.Helper()
	core := thread.New(s.Net, o)
	if err := core.RunVirtual(context.Background()); err != nil && !errors.Is(err, thread.ErrStopped) {
		t.Fatal(err)
	}
	return core
}

// find returns the block of a name.
func find[B any](t testing.TB, s *system.System, name string) *B {
	t.Helper()
	for _, b := range s.Net.Blocks {
		if b.Name == name {
			return b.Block.(*B)
		}
	}
	t.Fatalf("no block %q in %v", name, s.Net.Blocks)
	return nil
}
