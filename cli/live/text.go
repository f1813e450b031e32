package live

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/record"
)

// Value formats a value of a port or parameter as one line, in the syntax of `sinew param set`; "–" for none.
func Value(v any) string {
	switch x := v.(type) {
	case nil:
		return "–"
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case *admin.RawValue:
		return bulkText(x)
	case []any:
		words := make([]string, len(x))
		for i, e := range x {
			words[i] = Value(e)
		}
		return "[" + strings.Join(words, ", ") + "]"
	case map[string]any:
		var words []string
		for k, e := range x {
			words = append(words, k+": "+Value(e))
		}
		slices.Sort(words)
		return "{" + strings.Join(words, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// shownElements is how many elements of a value with a length of its own are printed.
const shownElements = 16

// bulkText prints the first elements of a value with a length of its own, and how many there are.
func bulkText(b *admin.RawValue) string {
	v, err := b.Value()
	list, ok := v.([]any)
	switch {
	case err != nil || !ok:
		return fmt.Sprintf("(%d elements)", b.Elements)
	case len(list) <= shownElements:
		return Value(list)
	}
	return fmt.Sprintf("%s, … (%d elements)", strings.TrimSuffix(Value(list[:shownElements]), "]"), b.Elements)
}

// Seconds formats a duration in s with a suitable prefix, rounded to 10 ns.
func Seconds(s float64) string {
	return time.Duration(math.Round(s * 1e9)).Round(10 * time.Nanosecond).String()
}

// Nanoseconds formats a duration in ns like [Seconds].
func Nanoseconds(ns int64) string { return Seconds(float64(ns) * 1e-9) }

// Pace describes which thread a thread follows, and its phase error.
func Pace(t *record.ThreadStatistics) string {
	switch {
	case t.Follow == "":
		return "its own"
	case t.Pace == nil:
		return "that of " + t.Follow
	case !t.Pace.Locked:
		return "free: waits for " + t.Follow
	}
	return fmt.Sprintf("%s off %s", Nanoseconds(t.Pace.Phase.P99), t.Follow)
}
