package servo

import (
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/net/block"
)

// spread gives a parameter of one element as many as there are joints or axes, so that each of them can be changed while it runs. It
// rejects any other number of elements; of is what they are elements of, in the plural.
func spread(name string, p *block.Param[[]float64], n int, of string) error {
	switch list := p.Value(); len(list) {
	case n:
	case 1:
		p.Set(slices.Repeat(list, n))
	default:
		return fmt.Errorf("%s has length %d: wants one element, or one for each of the %s (%d)", name, len(list), of, n)
	}
	return nil
}
