package description

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// WriteXRDF writes an XRDF file, version 1.0. The spheres have their margins, so that all buffer distances are zero. [ReadXRDF] reads it back equal, without
// files and positions.
func WriteXRDF(w io.Writer, x *XRDF) error {
	out := bufio.NewWriter(w)
	p := func(format string, args ...any) { fmt.Fprintf(out, format, args...) }
	p("format: xrdf\nformat_version: 1.0\n")
	if x.Base != "" || len(x.Frames) > 0 {
		p("\nmodifiers:\n")
	}
	if x.Base != "" {
		p("  - set_base_frame: %q\n", x.Base)
	}
	for i := range x.Frames {
		f := &x.Frames[i]
		o := f.Origin.Pose()
		q := o.R.Quat()
		p("  - add_frame:\n      frame_name: %q\n      parent_frame_name: %q\n      joint_name: %q\n      joint_type: FIXED\n", f.Child, f.Parent, f.Name)
		p("      fixed_transform:\n        position: %s\n        orientation: {w: %s, xyz: %s}\n", numbers(o.P.X, o.P.Y, o.P.Z), number(q.W), numbers(q.X, q.Y, q.Z))
	}
	if len(x.Positions) > 0 {
		p("\ndefault_joint_positions:\n")
		for _, name := range slices.Sorted(maps.Keys(x.Positions)) {
			p("  %q: %s\n", name, number(x.Positions[name]))
		}
	}
	p("\ncspace:\n  joint_names: %s\n  acceleration_limits: %s\n  jerk_limits: %s\n", names(x.Joints), numbers(x.Accelerations...), numbers(x.Jerks...))
	p("\ntool_frames: %s\n", names(x.Tools))
	p("\ncollision:\n  geometry: \"spheres\"\n  buffer_distance: {}\n")
	p("\nself_collision:\n  geometry: \"spheres\"\n  buffer_distance: {}\n  ignore:")
	with := map[string][]string{}
	for _, pair := range x.Ignored {
		with[pair.Link1] = append(with[pair.Link1], pair.Link2)
	}
	if len(with) == 0 {
		p(" {}")
	}
	p("\n")
	for _, link := range slices.Sorted(maps.Keys(with)) {
		p("    %q: %s\n", link, names(with[link]))
	}
	p("\ngeometry:\n  \"spheres\":\n    spheres:")
	if len(x.Spheres) == 0 {
		p(" {}")
	}
	p("\n")
	for _, link := range slices.Sorted(maps.Keys(x.Spheres)) {
		p("      %q:\n", link)
		for _, s := range x.Spheres[link] {
			p("        - center: %s\n          radius: %s\n", numbers(s.Center.X, s.Center.Y, s.Center.Z), number(s.Radius))
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write an XRDF file: %w", err)
	}
	return nil
}

// number formats a number so that it reads back equal. It has a point: readers of YAML 1.1 take 1e-05 for a text.
func number(x float64) string {
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if strings.Contains(text, ".") {
		return text
	}
	digits, power, scaled := strings.Cut(text, "e")
	if !scaled {
		return text + ".0"
	}
	return digits + ".0e" + power
}

// numbers formats a list of numbers.
func numbers(list ...float64) string {
	text := "["
	for i, x := range list {
		if i > 0 {
			text += ", "
		}
		text += number(x)
	}
	return text + "]"
}

// names formats a list of names.
func names(list []string) string {
	text := "["
	for i, name := range list {
		if i > 0 {
			text += ", "
		}
		text += strconv.Quote(name)
	}
	return text + "]"
}
