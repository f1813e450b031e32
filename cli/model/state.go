package model

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// configurationFlags select the configuration of a robot.
type configurationFlags struct {
	q      string
	random bool
	seed   uint64
}

func (c *configurationFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.q, "q", "", "configuration, rad and m: `joint=value,…`, others zero, or all values in their order; x:y:z:… where a joint has several")
	cmd.Flags().BoolVar(&c.random, "random", false, "take a random configuration within the limits")
	cmd.Flags().Uint64Var(&c.seed, "seed", 1, "`number` that seeds the random configuration")
	cmd.MarkFlagsMutuallyExclusive("q", "random")
}

// configuration returns the q selected by the flags: without any the neutral one.
func (c *configurationFlags) configuration(m *multibody.Model) ([]float64, error) {
	q := m.Neutral()
	if c.random {
		m.Random(rand.New(rand.NewPCG(c.seed, 0)), q)
		return q, nil
	}
	return q, readVector("--q", c.q, m, true, q)
}

// readVector parses a vector of a model, written as joint=value,… or as all its values, into out, whose other entries
// stay.
func readVector(flag, text string, m *multibody.Model, position bool, out []float64) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	items := strings.Split(text, ",")
	if strings.Contains(text, "=") {
		return readNamed(flag, items, m, position, out)
	}
	if len(items) != len(out) {
		return fmt.Errorf("%s has %d numbers, wants %d: %s; or joint=value,…", flag, len(items), len(out), layout(m.Joints(), position))
	}
	var wrong []error
	for i, item := range items {
		x, err := finiteNumber(item)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s[%d]: %w", flag, i, err))
		}
		out[i] = x
	}
	return errors.Join(wrong...)
}

func readNamed(flag string, items []string, m *multibody.Model, position bool, out []float64) error {
	var names []string
	for _, j := range m.Joints() {
		names = append(names, j.Name)
	}
	var wrong []error
	bad := func(format string, args ...any) {
		wrong = append(wrong, fmt.Errorf(flag+": "+format, args...))
	}
	for _, item := range items {
		name, text, ok := strings.Cut(item, "=")
		name = strings.TrimSpace(name)
		j, err := m.Joint(name)
		switch {
		case !ok:
			bad("%q: wants joint=value", item)
			continue
		case err != nil:
			bad("%s has no moving joint %q%s", m.Name(), name, nearest.Hint(name, names))
			continue
		case j.Mimic != nil:
			bad("%q follows %q: set that one, or use --ignore-mimic", name, j.Mimic.Joint)
			continue
		}
		at, n := j.V, j.Type.NV()
		if position {
			at, n = j.Q, j.Type.NQ()
		}
		values := strings.Split(text, ":")
		if len(values) != n {
			bad("%q has %d numbers, wants %d", name, len(values), n)
			continue
		}
		for i, value := range values {
			x, err := finiteNumber(value)
			if err != nil {
				bad("%s: %v", name, err)
			}
			out[at+i] = x
		}
	}
	return errors.Join(wrong...)
}

func finiteNumber(text string) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%q: wants a finite number in rad or m, without a unit, as 1.5708", text)
	}
	return x, nil
}

// outOfLimits describes for each coordinate of q how it violates the limits of its joint, "" if it does not.
func outOfLimits(m *multibody.Model, q []float64) []string {
	lower, upper := make([]float64, m.NQ()), make([]float64, m.NQ())
	m.PositionLimits(lower, upper)
	list := make([]string, m.NQ())
	for i := range list {
		if q[i] < lower[i] || q[i] > upper[i] {
			list[i] = fmt.Sprintf("not within %s … %s", decimal(lower[i]), decimal(upper[i]))
		}
	}
	return list
}
