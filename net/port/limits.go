package port

import (
	"fmt"
	"math"
	"strings"

	"github.com/sinew-robotics/sinew/net/schema"
)

// MaxMagnitude bounds every number that comes from outside: in a system file, from a tool or a script, by hand. It applies where
// the tags min and max of a parameter state no bound, to values fed to ports, and to arguments of operations called by tools.
// No quantity in SI units is larger, and the product of ten such numbers is still finite. The tag max:"inf" of a parameter
// allows larger numbers and infinity, min:"-inf" negative ones. NaN is refused everywhere.
const MaxMagnitude = 1e30

// limits are what the numbers of a value from outside may be.
type limits struct {
	min, max float64
	refused  error // made ahead of time: the core must not allocate
}

func newLimits(name, unit string, lo, hi float64) limits {
	return limits{lo, hi, fmt.Errorf("%s: every number must lie between %v and %v%s", name, lo, hi, spaced(unit))}
}

// outsideLimits returns the limits of values fed to ports and of arguments.
func outsideLimits(name, unit string) limits {
	return newLimits(name, unit, -MaxMagnitude, MaxMagnitude)
}

// check returns the error made ahead of time where a number of the value in cdr is NaN or out of the limits.
func (l *limits) check(layout *schema.Layout, cdr []byte) error {
	if layout.Outside(cdr, l.min, l.max) >= 0 {
		return l.refused
	}
	return nil
}

// explain is check with an error that names the number; it allocates.
func (l *limits) explain(name, unit string, layout *schema.Layout, cdr []byte) error {
	at := layout.Outside(cdr, l.min, l.max)
	if at < 0 {
		return nil
	}
	for _, leaf := range layout.Leaves() {
		if leaf.Offset == at {
			if layout.Type().Kind() != schema.Struct {
				name += strings.TrimPrefix(leaf.Path, "data") // as in gains[2]
			} else {
				name += "." + leaf.Path
			}
			return l.checkNumber(name, unit, leaf.Float(cdr))
		}
	}
	return l.refused
}

func (l *limits) checkNumber(path, unit string, x float64) error {
	switch {
	case math.IsNaN(x):
		return fmt.Errorf("%s is NaN: wants a number", path)
	case x < l.min:
		return fmt.Errorf("%s is %v%s: wants at least %v", path, x, spaced(unit), l.min)
	case x > l.max:
		return fmt.Errorf("%s is %v%s: wants at most %v", path, x, spaced(unit), l.max)
	}
	return nil
}

func spaced(unit string) string {
	if unit == "" {
		return ""
	}
	return " " + unit
}
