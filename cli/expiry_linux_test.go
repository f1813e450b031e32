package cli_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

const heldSystem = "system: held\nthreads: {t: {period: 2ms}}\nblocks: {one: {type: flow.Constant, params: {value: [1]}}}\n"

// A value that a joystick feeds is free again although the front that took it was killed.
func TestAFedValueExpiresAfterTheFrontWasKilled(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "held.yaml"), []byte(heldSystem), 0o600); err != nil {
		t.Fatal(err)
	}
	front := exec.Command("sinew", "run", "--quiet", "--for", "1h", "held.yaml")
	front.Dir = dir
	if err := front.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = exec.Command("sinew", "down", "held").Run() })
	ctx, cancel := context.WithTimeout(context.Background(), testkit.Patience())
	defer cancel()
	c := dial(t, ctx)
	if began, err := c.FeedFor(ctx, "one.out", []any{7.0}, 2*time.Second); err != nil || !began {
		t.Fatalf("feed for 2 s: began %v, %v", began, err)
	}
	_ = front.Process.Kill()
	_ = front.Wait()
	_ = c.Close()
	time.Sleep(2 * time.Second) // without any front

	attached := exec.Command("sinew", "attach", "--quiet", "held")
	attached.Dir = dir
	if err := attached.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if t.Failed() {
			_ = attached.Process.Kill()
		}
		_ = attached.Wait()
	}()
	c = dial(t, ctx)
	defer c.Close()
	testkit.Await(t, "no port has a value by hand", func() bool {
		s, err := c.Structure(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return !slices.ContainsFunc(s.Blocks, func(b admin.Block) bool {
			return slices.ContainsFunc(b.Ports, func(p admin.Port) bool { return p.Hand })
		})
	})
	if err := c.Stop(ctx); err != nil {
		t.Fatal(err)
	}
}

// dial waits until the system held answers.
func dial(t *testing.T, ctx context.Context) (c *nats.Client) {
	t.Helper()
	testkit.Await(t, "the system held answers", func() bool {
		var err error
		if c, err = nats.Dial("held"); err != nil {
			return false
		}
		if _, err = c.Structure(ctx); err != nil {
			_ = c.Close()
		}
		return err == nil
	})
	return c
}
