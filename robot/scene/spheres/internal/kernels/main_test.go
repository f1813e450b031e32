package main

import (
	"bytes"
	"math"
	"os"
	"testing"

	"github.com/sinew-robotics/sinew/internal/tape"
)

// The kernels in package spheres must be those that this program writes.
func TestKernelsAreUpToDate(t *testing.T) {
	for name, text := range files() {
		have, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, text) {
			t.Errorf("%s is not what this program writes; run go generate ./robot/scene/spheres", name)
		}
	}
}

func TestSincosIsRightInFloat32(t *testing.T) {
	p := tape.New()
	sin, cos := sincos(p, p.Input("x", 1)[0])
	p.Store("y", 0, sin)
	p.Store("y", 1, cos)
	for x := -20.0; x < 20; x += 0.013 {
		y := p.Evaluate(map[string][]float64{"x": {x}})["y"]
		s, c := math.Sincos(x)
		if math.Abs(y[0]-s) > 1e-7 || math.Abs(y[1]-c) > 1e-7 {
			t.Fatalf("sine and cosine of %g are %g and %g, want %g and %g", x, y[0], y[1], s, c)
		}
	}
}
