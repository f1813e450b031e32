package model

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/internal/durable"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/simplify"
)

// simplifyFlags are the flags of the verb.
type simplifyFlags struct {
	source     sourceFlags
	out        outputFlags
	file       string // to write
	primitives bool
	hulls      bool
	spheres    bool
	bounding   int // corners of each hull; 0: not asked for
	console    bool
}

func simplifyCommand(show Show) *cobra.Command {
	var f simplifyFlags
	cmd := &cobra.Command{
		Use:   "simplify FILE (--primitives|--hulls|--spheres|--bounding N)",
		Short: "Replace the collision meshes of a robot by simpler shapes around them, and write it as URDF",
		Long: `Replace the collision meshes of a robot by simpler shapes around them, and write it as URDF. Every vertex of a mesh is inside its shape.

  --primitives  the box, cylinder or ball of the least volume, along the principal axes or a face of the mesh's convex hull
  --hulls       the convex hull
  --bounding N  a convex hull of at most N corners around the mesh, by the rule of the bounding mesh (Gaschler, Fischer and Knoll 2015); hulls of few corners may keep some more
  --spheres     spheres, as sinew model spheres finds them

Each mesh gets one shape, except with --spheres; boxes, cylinders and balls stay. Hulls are written as OBJ files beside the URDF, where MuJoCo finds them. A robot without
collision geometry gets the shapes of its visuals. The table has for each link the corners of its meshes and of its shapes, the volume of the shapes (where hulls and
primitives overlap, of each) beside that of the meshes' convex hulls, and by how much the shapes stick out of the meshes at most.

--console opens a page that draws the robot with the shapes of the file, with those that were written, or with both, beside this table. Without -o they are
written into a folder that ends with the command.`,
		Example: "  sinew model simplify panda.urdf --bounding 32 -o panda_bounding.urdf\n  sinew model simplify panda.urdf --primitives --console",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0], show) },
	}
	f.source.registerFile(cmd)
	f.out.register(cmd, oneObject)
	cmd.Flags().StringVarP(&f.file, "output", "o", "", "URDF `file` to write; it must not exist, nor those of its hulls")
	cmd.Flags().BoolVar(&f.primitives, "primitives", false, "boxes, cylinders and balls")
	cmd.Flags().BoolVar(&f.hulls, "hulls", false, "convex hulls")
	cmd.Flags().BoolVar(&f.spheres, "spheres", false, "spheres that stick out by about 12 mm at most")
	cmd.Flags().IntVar(&f.bounding, "bounding", 0, "convex hulls of at most `N` corners, from 4")
	cmd.Flags().BoolVar(&f.console, "console", false, "open a page that shows the shapes before and after")
	cmd.MarkFlagsMutuallyExclusive("json", "console")
	cmd.MarkFlagsMutuallyExclusive("primitives", "hulls", "spheres", "bounding")
	cmd.MarkFlagsOneRequired("primitives", "hulls", "spheres", "bounding")
	return cmd
}

func (f *simplifyFlags) run(cmd *cobra.Command, file string, show Show) error {
	switch {
	case f.file != "" && strings.ToLower(filepath.Ext(f.file)) != ".urdf":
		return fmt.Errorf("write %s: want a file with the extension .urdf", f.file)
	case cmd.Flags().Changed("bounding") && f.bounding < 4:
		return fmt.Errorf("--bounding %d: wants at least 4 corners", f.bounding)
	}
	robot, err := f.source.read(file)
	if err != nil {
		return err
	}
	written := f.file
	if f.console && written == "" {
		dir, err := os.MkdirTemp("", "sinew-simplify")
		if err != nil {
			return fmt.Errorf("make a folder for the shapes of --console: %w", err)
		}
		defer os.RemoveAll(dir)
		written = filepath.Join(dir, "simplified.urdf")
	}
	stem := strings.TrimSuffix(filepath.Base(written), filepath.Ext(written))
	s, err := simplify.Simplify(robot, f.options(stem))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if written != "" {
		if err := writeSimplified(s, written); err != nil {
			return err
		}
	}
	err = f.out.write(cmd.OutOrStdout(), map[string]any{"robot": robot.Name, "links": s.Links, "notes": s.Notes}, func(w io.Writer) { f.print(w, s) })
	if err != nil || !f.console {
		return err
	}
	after, err := Read(written)
	if err != nil {
		return err
	}
	return show(cmd, robot, after, s.Links)
}

// options returns how the robot is simplified; the names of the files of hulls begin with stem.
func (f *simplifyFlags) options(stem string) simplify.Options {
	o := simplify.Options{Stem: stem, Corners: f.bounding, Tolerance: coverTolerance}
	switch {
	case f.hulls:
		o.Method = simplify.Hulls
	case f.bounding > 0:
		o.Method = simplify.Bounding
	case f.spheres:
		o.Method = simplify.Spheres
	}
	return o
}

// writeSimplified writes the URDF and, beside it, the files of its hulls.
func writeSimplified(s *simplify.Result, file string) error {
	var text bytes.Buffer
	if err := description.WriteURDF(&text, s.Robot); err != nil {
		return err
	}
	dir := filepath.Dir(file)
	names := slices.Sorted(maps.Keys(s.Files))
	for _, name := range append([]string{filepath.Base(file)}, names...) {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fmt.Errorf("write %s: the file exists; name another one", filepath.Join(dir, name))
		}
	}
	for _, name := range names {
		if err := durable.WriteFile(filepath.Join(dir, name), s.Files[name], 0o644); err != nil {
			return err
		}
	}
	return durable.WriteFile(file, text.Bytes(), 0o644)
}

// print prints the links with their shapes.
func (f *simplifyFlags) print(w io.Writer, s *simplify.Result) {
	t := newTable("link", "meshes", "corners", "shapes", "corners", "volume", "<", "of hulls", "<", "stick out", "<")
	optional := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint(n)
	}
	sum, worst := 0.0, 0.0
	for _, l := range s.Links {
		hulls := ""
		if l.HullVolume > 0 {
			hulls = fmt.Sprintf("%.1f", 1e6*l.HullVolume)
		}
		unit := ""
		if hulls != "" {
			unit = "cm³"
		}
		t.row(l.Link, optional(l.Meshes), optional(l.Corners), fmt.Sprint(l.Shapes), optional(l.After), fmt.Sprintf("%.1f", 1e6*l.Volume), "cm³", hulls, unit, fmt.Sprintf("%.1f", 1000*l.Protrusion), "mm")
		sum, worst = sum+l.Volume, max(worst, l.Protrusion)
	}
	t.print(w)
	fmt.Fprintf(w, "%.1f cm³ around %s, sticking out by at most %.1f mm\n", 1e6*sum, verb.Count(len(s.Links), "link"), 1000*worst)
	for _, note := range s.Notes {
		fmt.Fprintln(w, note)
	}
	if f.file != "" {
		fmt.Fprintf(w, "wrote %s and %s of hulls\n", f.file, verb.Count(len(s.Files), "file"))
	}
}
