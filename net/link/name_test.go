package link_test

import (
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/link"
)

func TestNamesOfLinksCanBeThoseOfFiles(t *testing.T) {
	for name, want := range map[string]bool{
		"pid.out": true, "_a-1": true, "-": true, "a..b": true, strings.Repeat("x", link.MaxName): true,
		"": false, ".a": false, "a b": false, "a/b": false, "ä": false, "a\n": false, strings.Repeat("x", link.MaxName+1): false,
	} {
		if got := link.IsName(name); got != want {
			t.Errorf("%q: %t, want %t", name, got, want)
		}
	}
}
