package model

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/internal/durable"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/cover"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

// spheresFlags are the flags of the verb.
type spheresFlags struct {
	source    sourceFlags
	out       outputFlags
	file      string  // to write
	check     string  // XRDF whose spheres are compared instead of new ones
	tolerance float64 // m
	number    int     // of all spheres; 0: as the tolerance requires
	samples   int     // for the pairs of links
	rise      float64 // s
	accel     float64 // rad/s² or m/s²
}

const (
	coverTolerance = 0.012 // m, unless a flag gives it
	coverSteps     = 12    // of the bisection that finds the tolerance for a number of spheres
)

func spheresCommand() *cobra.Command {
	var f spheresFlags
	cmd := &cobra.Command{
		Use:   "spheres FILE",
		Short: "Cover the links of a robot by spheres, for the fast engine of sinew plan, and write them as URDF or XRDF",
		Long: `Cover the links of a robot by spheres, for the fast engine of sinew plan, and write them as URDF or XRDF.

Nothing of the collision geometry lies outside the spheres: that is proved for the surface of every link, and an error otherwise. Meshes may be open, inside
out or of several parts. The spheres stick out by about --tolerance at most; with --number the tolerance is found for which that many spheres suffice for all
links together. The table lists for each link its fine spheres, by how much they stick out, and the coarse ball around them, which the engine tests first.

A URDF keeps the whole robot, with spheres for its collision geometry. An XRDF file, for sinew plan --xrdf and NVIDIA's cuMotion, has the spheres, the pairs
of links that need no check, found as by sinew model pairs, and limits of the joints. --check reports how well the spheres of an XRDF file cover the robot.`,
		Example: "  sinew model spheres panda.urdf -o panda_spheres.urdf\n  sinew model spheres panda.urdf --number 60 -o panda.xrdf\n  sinew model spheres panda.urdf --check franka.xrdf",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.source.registerFile(cmd)
	f.source.registerMimic(cmd)
	f.out.register(cmd, oneObject)
	cmd.Flags().StringVarP(&f.file, "output", "o", "", "`file` to write, .urdf or .xrdf; it must not exist")
	cmd.Flags().StringVar(&f.check, "check", "", "compare the spheres of an XRDF `file` with the robot, and find none")
	cmd.Flags().Float64Var(&f.tolerance, "tolerance", coverTolerance, "by which spheres may stick out, `m`")
	cmd.Flags().IntVar(&f.number, "number", 0, "greatest `number` of spheres of all links together, at least one for each; instead of --tolerance")
	cmd.Flags().IntVar(&f.samples, "samples", 10_000, "`number` of configurations by which pairs of links are found for an XRDF file")
	cmd.Flags().Float64Var(&f.accel, "acceleration", 10, "limit of each joint that an XRDF file states, `rad/s²` or m/s²; a URDF has none")
	cmd.Flags().Float64Var(&f.rise, "rise", 0.1, "`time` in which a joint reaches its greatest acceleration, from which the limits of jerk in an XRDF file follow, s")
	return cmd
}

// coveredLink is a link with its spheres.
type coveredLink struct {
	name    string
	fitter  *cover.Fitter
	spheres []scene.Ball
	report  cover.Report
}

func (f *spheresFlags) run(cmd *cobra.Command, file string) error {
	extension := strings.ToLower(filepath.Ext(f.file))
	switch {
	case f.file != "" && extension != ".urdf" && extension != ".xrdf":
		return fmt.Errorf("write %s: want a file with the extension .urdf or .xrdf", f.file)
	case f.check != "" && (f.file != "" || cmd.Flags().Changed("tolerance") || f.number != 0):
		return fmt.Errorf("--check %s compares the spheres that are there: leave --output, --tolerance and --number out", f.check)
	case f.number != 0 && cmd.Flags().Changed("tolerance"):
		return fmt.Errorf("--number %d and --tolerance %g: want one of the two", f.number, f.tolerance)
	case f.number < 0 || !(f.tolerance > 0) || math.IsInf(f.tolerance, 1):
		return fmt.Errorf("--number %d, --tolerance %g: want positive values", f.number, f.tolerance)
	case !(f.accel > 0 && f.rise > 0) || math.IsInf(f.accel/f.rise, 1):
		return fmt.Errorf("--acceleration %g, --rise %g: want positive values", f.accel, f.rise)
	case f.samples < 1 || f.samples > maxSamples:
		return fmt.Errorf("--samples %d: wants 1 … %d", f.samples, maxSamples)
	}
	if f.file != "" {
		if _, err := os.Lstat(f.file); err == nil {
			return fmt.Errorf("write %s: the file exists; name another one", f.file)
		}
	}
	robot, m, err := f.source.model(file)
	if err != nil {
		return err
	}
	solid, note := robot.Solid()
	var notes []string
	if note != "" {
		notes = append(notes, note)
	}
	links, err := f.cover(solid, &notes)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if f.file != "" {
		if err := f.write(extension, solid, m, links); err != nil {
			return err
		}
	}
	if err := f.print(cmd.OutOrStdout(), robot.Name, links, notes); err != nil {
		return err
	}
	for _, l := range links {
		if l.report.Outside > 0 {
			p := l.report.Where
			return fmt.Errorf("link %s lies outside its spheres by %.3g mm at (%.4f, %.4f, %.4f) m", l.name, 1000*l.report.Outside, p.X, p.Y, p.Z)
		}
	}
	return nil
}

// cover finds the spheres of all links, or reads them, and checks them.
func (f *spheresFlags) cover(robot *description.Robot, notes *[]string) ([]coveredLink, error) {
	bodies, err := robot.SolidBodies()
	if err != nil {
		return nil, err
	}
	if len(bodies) == 0 {
		return nil, fmt.Errorf("robot %q has no geometry to cover: describe collision geometry", robot.Name)
	}
	var links []coveredLink
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		fitter, err := cover.New(bodies[name])
		if err != nil {
			return nil, fmt.Errorf("link %q: %w", name, err)
		}
		links = append(links, coveredLink{name: name, fitter: fitter})
	}
	switch {
	case f.check != "":
		err = f.read(robot, links, notes)
	case f.number > 0:
		err = f.fitNumber(links)
	default:
		fit(links, f.tolerance)
	}
	for i := range links {
		links[i].report = links[i].fitter.Check(links[i].spheres)
	}
	return links, err
}

// read takes the spheres of an XRDF file.
func (f *spheresFlags) read(robot *description.Robot, links []coveredLink, notes *[]string) error {
	x, err := description.ReadXRDF(os.DirFS(filepath.Dir(f.check)), filepath.Base(f.check))
	if err != nil {
		return err
	}
	_, more, err := x.Apply(robot)
	if err != nil {
		return err
	}
	*notes = append(*notes, more...)
	for i := range links {
		if links[i].spheres = x.Spheres[links[i].name]; len(links[i].spheres) == 0 {
			return fmt.Errorf("%s has no spheres of link %q, which has collision geometry", f.check, links[i].name)
		}
	}
	return nil
}

// fit finds the spheres for a tolerance, and returns their number.
func fit(links []coveredLink, tolerance float64) (n int) {
	for i := range links {
		links[i].spheres = links[i].fitter.Fit(tolerance)
		n += len(links[i].spheres)
	}
	return n
}

// fitNumber finds the least tolerance, within a factor, for which a number of spheres suffices.
func (f *spheresFlags) fitNumber(links []coveredLink) error {
	low, high := 1e-4, 10.0 // m
	if n := fit(links, high); n > f.number {
		return fmt.Errorf("--number %d: %d are the least for its links", f.number, n)
	}
	for range coverSteps {
		middle := math.Sqrt(low * high)
		if fit(links, middle) > f.number {
			low = middle
		} else {
			high = middle
		}
	}
	f.tolerance = high
	fit(links, high)
	return nil
}

// write writes the spheres.
func (f *spheresFlags) write(extension string, robot *description.Robot, m *multibody.Model, links []coveredLink) error {
	spheres := map[string][]scene.Ball{}
	for _, l := range links {
		spheres[l.name] = l.spheres
	}
	of := robot.OfSpheres(spheres)
	var text bytes.Buffer
	if extension == ".urdf" {
		if err := description.WriteURDF(&text, of); err != nil {
			return err
		}
		return durable.WriteFile(f.file, text.Bytes(), 0o644)
	}
	x := &description.XRDF{Spheres: spheres, Positions: map[string]float64{}, Tools: ends(robot)}
	home := m.Neutral()
	for _, j := range m.Joints() {
		if j.Type.NQ() != 1 || j.Mimic != nil {
			continue
		}
		q := home[j.Q]
		if l := j.Limits; l != nil && !(q >= l.Lower && q <= l.Upper) {
			q = (l.Lower + l.Upper) / 2
		}
		x.Joints, x.Positions[j.Name] = append(x.Joints, j.Name), q
		x.Accelerations, x.Jerks = append(x.Accelerations, f.accel), append(x.Jerks, f.accel/f.rise)
	}
	shapes, err := of.Shapes()
	if err != nil {
		return err
	}
	s, err := scene.New(scene.Model{Model: m, Shapes: shapes})
	if err != nil {
		return err
	}
	pairs, err := scene.FindAllowed(exact.New(s), f.samples, 1)
	if err != nil {
		return err
	}
	for _, p := range pairs {
		x.Ignored = append(x.Ignored, description.LinkPair{Link1: p.A, Link2: p.B})
	}
	if err := description.WriteXRDF(&text, x); err != nil {
		return err
	}
	return durable.WriteFile(f.file, text.Bytes(), 0o644)
}

// print prints the links with their spheres.
func (f *spheresFlags) print(w io.Writer, robot string, links []coveredLink, notes []string) error {
	total, protrusion := 0, 0.0
	list := []map[string]any{}
	t := newTable("link", "triangles", "spheres", "stick out", "<", "coarse ball", "<")
	for i := range links {
		l := &links[i]
		coarse := scene.EnclosingBalls(l.spheres)
		total += len(l.spheres)
		protrusion = max(protrusion, l.report.Protrusion)
		t.row(l.name, fmt.Sprint(l.fitter.Triangles()), fmt.Sprint(len(l.spheres)), fmt.Sprintf("%.1f", 1000*l.report.Protrusion), "mm", fmt.Sprintf("%.1f", 1000*coarse.Radius), "mm")
		fine := [][4]float64{}
		for _, s := range l.spheres {
			fine = append(fine, [4]float64{s.Center.X, s.Center.Y, s.Center.Z, s.Radius})
		}
		list = append(list, map[string]any{
			"link": l.name, "triangles": l.fitter.Triangles(), "protrusion": l.report.Protrusion, "outside": l.report.Outside,
			"coarse": [4]float64{coarse.Center.X, coarse.Center.Y, coarse.Center.Z, coarse.Radius}, "fine": fine,
		})
	}
	object := map[string]any{"robot": robot, "spheres": total, "protrusion": protrusion, "links": list, "notes": notes}
	return f.out.write(w, object, func(w io.Writer) {
		t.print(w)
		fmt.Fprintf(w, "%d spheres cover %d links and stick out by at most %.1f mm\n", total, len(links), 1000*protrusion)
		for _, note := range notes {
			fmt.Fprintln(w, note)
		}
		if f.file != "" {
			fmt.Fprintf(w, "wrote %s\n", f.file)
		}
	})
}
