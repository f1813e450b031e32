package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/system"
)

// saving is what was tuned in a running system and is to go into its files.
type saving struct {
	texts map[string]string // the files with the new values, by path
	diff  string            // what that changes; "": nothing was tuned
}

// findTuned compares a running system with its files on this host.
func findTuned(ctx context.Context, c *admin.Client) (*saving, error) {
	changes, err := c.Tuned(ctx)
	if err != nil || len(changes) == 0 {
		return &saving{}, err
	}
	texts, err := c.SaveParams(ctx, changes)
	if err != nil {
		return nil, err
	}
	dir, _ := os.Getwd()
	diff, err := system.Diff(dir, texts)
	return &saving{texts, diff}, err
}

// show writes the difference, and says where there is none.
func (s *saving) show(out io.Writer) {
	if s.diff == "" {
		fmt.Fprintln(out, "nothing was tuned: the file says the same")
	}
	fmt.Fprint(out, s.diff)
}

// write changes the files and says which.
func (s *saving) write(out io.Writer) error {
	if s.diff == "" {
		return nil
	}
	if err := system.Write(s.texts); err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(s.texts)) {
		fmt.Fprintln(out, "wrote", shortPath(path))
	}
	return nil
}

// shortPath returns a path relative to the working directory where it lies in it.
func shortPath(path string) string {
	dir, _ := os.Getwd()
	if short, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(short) {
		return short
	}
	return path
}
