package watch

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
)

// frame is what one message of a watch carries beside the samples.
type frame struct {
	time clock.Time // of the newest sample
	lost uint64
	any  bool
}

// element chooses a part of a value: the elements of lists by their number, the members of structures by their name.
type element []any

// maxElement is how deep an element may lie.
const maxElement = 8

// The limits of values with lengths of their own.
const (
	maxDecoded = 4096    // elements of one of which a part is watched; of longer ones there is none
	maxBulk    = 1 << 20 // bytes of one in a frame; of longer ones only the number of elements is sent
)

// newElement reads what a page writes: nothing, 3, "x" or "pose.position.0".
func newElement(v any) (element, error) {
	switch x := v.(type) {
	case nil:
		return nil, nil
	case float64:
		if x != math.Trunc(x) || x < 0 || x > 1<<20 {
			return nil, fmt.Errorf("element %v: expected a number from 0", x)
		}
		return element{int(x)}, nil
	case string:
		var e element
		words := strings.Split(x, ".")
		if len(words) > maxElement {
			return nil, fmt.Errorf("element %q is nested more than %d levels deep", x, maxElement)
		}
		for _, w := range words {
			if n, err := strconv.Atoi(w); err == nil && n >= 0 {
				e = append(e, n)
			} else {
				e = append(e, w)
			}
		}
		return e, nil
	}
	return nil, fmt.Errorf("element %v: expected a number or a name", v)
}

// of returns the chosen part of a value; nil if there is none.
func (e element) of(v any) any {
	if b, ok := v.(*admin.RawValue); ok && len(e) > 0 {
		if b.Elements > maxDecoded {
			return nil
		}
		v, _ = b.Value()
	} else if ok {
		return b.Without(maxBulk)
	}
	for _, step := range e {
		switch k := step.(type) {
		case int:
			list, ok := v.([]any)
			if !ok || k >= len(list) {
				return nil
			}
			v = list[k]
		case string:
			m, ok := v.(map[string]any)
			if !ok {
				return nil
			}
			v = m[k]
		}
	}
	return v
}
