package verb_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/cli/verb"
)

func TestNumberWritesNullForNaNAndInfinities(t *testing.T) {
	got, err := json.Marshal([]verb.Number{1.5, verb.Number(math.NaN()), verb.Number(math.Inf(-1)), 0})
	if err != nil || string(got) != "[1.5,null,null,0]" {
		t.Errorf("Marshal = %s, %v; want [1.5,null,null,0]", got, err)
	}
}
