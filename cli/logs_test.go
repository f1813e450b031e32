package cli

import (
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/record"
)

// Differences that are explained only because misses are named as one are not passed over in silence.
func TestComparisonPrintsHowCoarseMissesAreNamed(t *testing.T) {
	var out strings.Builder
	c := &record.Comparison{Until: 1e9, Misses: [2][]record.Miss{{}, {{Thread: "b", First: 1e6, Last: 90e6, Count: 3, Gap: 32e6}}}, Unlisted: [2]uint64{0, 5}}
	if err := printComparison(&out, c); err != nil {
		t.Fatal(err)
	}
	want := `misses of the second run up to 32ms apart are named as one, since there were too many: what differs in between counts as explained
5 more misses of the second run are not listed in its log: differences after them are not explained
the logs are equal: 0 samples until 1.000000 s
`
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}
