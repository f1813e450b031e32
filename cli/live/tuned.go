package live

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/system"
)

// Tuned holds the parameters tuned in a running system, as changes of its files.
type Tuned struct {
	texts map[string]system.Rewrite // the files with the new values, by path
	diff  string                    // the changes as a diff; "": none
}

// FindTuned compares the parameters of a running system with its files on this host.
func FindTuned(ctx context.Context, c *nats.Client) (*Tuned, error) {
	changes, err := c.Tuned(ctx)
	if err != nil || len(changes) == 0 {
		return &Tuned{}, err
	}
	texts, err := c.SaveParams(ctx, changes)
	if err != nil {
		return nil, err
	}
	dir, _ := os.Getwd()
	diff, err := system.Diff(dir, texts)
	return &Tuned{texts, diff}, err
}

// Any reports whether saving would change a file.
func (s *Tuned) Any() bool { return s.diff != "" }

// Show writes the diff, or a line that there is none.
func (s *Tuned) Show(out io.Writer) {
	if s.diff == "" {
		fmt.Fprintln(out, "no tuned parameters: the files are up to date")
	}
	fmt.Fprint(out, s.diff)
}

// Write changes the files and prints their names.
func (s *Tuned) Write(ctx context.Context, out io.Writer) error {
	if s.diff == "" {
		return nil
	}
	if err := system.Write(ctx, s.texts); err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(s.texts)) {
		fmt.Fprintln(out, "wrote", shortPath(path))
	}
	return nil
}

// shortPath returns a path relative to the working directory if it is inside.
func shortPath(path string) string {
	dir, _ := os.Getwd()
	if short, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(short) {
		return short
	}
	return path
}
