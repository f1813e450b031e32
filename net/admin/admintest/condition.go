package admintest

import (
	"context"
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
)

// runCondition checks that the condition shows what is held, not finite, disabled and in error, and no longer when it is over.
func runCondition(ctx context.Context, t *testing.T, s admin.System) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	shows := func(what string, right func(c *admin.Condition) bool) {
		t.Helper()
		testkit.Await(t, what, func() bool {
			c, err := s.Condition(ctx)
			must(err)
			return right(c)
		})
	}
	const block, wide = "plant.source", "plant.source.wide"
	shows("nothing held", func(c *admin.Condition) bool {
		return len(c.Held)+len(c.Disabled)+len(c.Faults)+len(c.Problems) == 0 && c.Held != nil && c.Faults != nil
	})
	shows("the numbers that are not finite", func(c *admin.Condition) bool {
		return slices.Contains(c.NonFinite, wide) && !slices.Contains(c.NonFinite, block+".out")
	})
	must(s.Feed(ctx, block+".in", 1.0))
	must(s.Feed(ctx, block+".out", 2.0))
	shows("held ports", func(c *admin.Condition) bool { return slices.Equal(c.Held, []string{block + ".in", block + ".out"}) })
	must(s.Release(ctx, block+".in"))
	must(s.Release(ctx, block+".out"))
	must(s.Enable(ctx, block, false))
	shows("a disabled block", func(c *admin.Condition) bool { return slices.Equal(c.Disabled, []string{block}) })
	must(s.Enable(ctx, block, true))
	shows("the enabled block", func(c *admin.Condition) bool { return !slices.Contains(c.Disabled, block) })
	shows("released ports", func(c *admin.Condition) bool { return !slices.Contains(c.Held, block+".out") })
}
