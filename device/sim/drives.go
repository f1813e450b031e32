package sim

import (
	"errors"
	"io/fs"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/internal/yamlfault"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	yaml "go.yaml.in/yaml/v4"
)

// DriveFile holds the drives of a robot, read from a file.
type DriveFile struct {
	Robot  string               // name of the robot that the drives belong to
	Drives map[string]AxisDrive // by the name of the joint
	World  *Surroundings        // nil: the robot touches nothing

	start description.Position
	at    map[string]description.Position // where each drive stands
}

// ReadDrives reads a file of drives. All figures are in SI units; keys in brackets may be left out and then have the value
// in the brackets.
//
//	robot: janus                 # as in its description
//	drives:
//	  joint1:                    # one for each independent joint of the description
//	    motor:
//	      resistance: 2.32       # ohm, positive
//	      torque_constant: 0.02  # N m/A, positive; equals the back-EMF in V s/rad
//	      rotor_inertia: 1e-6    # kg m²
//	      reversed: false        # [false] whether a positive voltage moves the joint in its negative sense
//	    gear:                    # [none]
//	      ratio: 100             # turns of the motor per turn of the joint, positive
//	      efficiency: 0.7        # [1] 0 < efficiency ≤ 1
//	    friction:                # [none]
//	      viscous: 0.05          # [0] N m s/rad, at the joint
//	      coulomb: 0.2           # [0] N m, at the joint
//	      static: 0.3            # [coulomb] N m, at the joint
//	      stribeck_velocity: 0.1 # [0] rad/s; needed where static exceeds coulomb
//	    encoder:
//	      lines: 500             # per turn of the motor; four counts each
//	      reversed: false        # [false] whether it counts down when the joint moves in its positive sense
//	    amplifier:
//	      supply: 24             # V, positive
//	      bits: 12               # [0: continuous] of its converter
//	    brake:                   # [none]
//	      torque: 8              # N m, at the joint
//	world:                       # [none] what the robot touches with the collision geometry of its description
//	  friction: 0.5              # [0.5] coefficient of the robot's surfaces; two surfaces have the harmonic mean of both
//	  bodies:                    # [none]
//	    ground: {plane: 0, friction: 0.7}           # level ground at this height, m; [0.5]
//	    table: {box: [0.8, 0.6, 0.04], at: [0.6, 0, 0.3], rpy: [0, 0, 0]}   # without mass it is fixed; [0, 0, 0] m and rad
//	    can: {cylinder: [0.03, 0.1], at: [0.6, 0, 0.37], mass: 0.4}         # radius and length, m; kg
//	    ball: {sphere: 0.1, at: [0, 0, 1], mass: 1}                         # radius, m
//
// The error is description.Problems: all mistakes in the file, by line and column.
func ReadDrives(fsys fs.FS, path string) (*DriveFile, error) {
	data, err := fs.ReadFile(fsys, path)
	if err != nil {
		return nil, description.Problems{{Position: description.Position{File: path}, Message: err.Error()}}
	}
	return parseDrives(data, path)
}

func parseDrives(data []byte, path string) (*DriveFile, error) {
	r := &reader{file: path}
	f := &DriveFile{Drives: map[string]AxisDrive{}, at: map[string]description.Position{}}
	var document yaml.Node
	if err := yaml.Load(data, &document); err != nil {
		at := description.Position{File: path, Line: 1, Column: 1}
		var syntax *yaml.LoadError
		if errors.As(err, &syntax) && syntax.Mark.Line > 0 {
			fault := yamlfault.Explain(data, err)
			at.Line, at.Column = fault.Line, fault.Column
			return nil, description.Problems{{Position: at, Message: "not YAML: " + fault.Message}}
		}
		return nil, description.Problems{{Position: at, Message: "the file is empty; it should hold robot and drives"}}
	}
	root := document.Content[0]
	f.start = r.at(root)
	r.section(root, "the file", []field{
		{key: "robot", required: true, read: r.text(&f.Robot)},
		{key: "drives", required: true, read: func(n *yaml.Node) {
			r.each(n, "drives", func(name string, key, value *yaml.Node) {
				before := len(r.problems)
				d := r.drive(value, "drive of "+name)
				if err := d.check(); err != nil && len(r.problems) == before {
					r.fail(key, "drive of %s: %v", name, err)
				}
				f.Drives[name], f.at[name] = d, r.at(key)
			})
		}},
		{key: "world", read: func(n *yaml.Node) { f.World = r.world(n) }},
	})
	return f, r.err()
}

func (r *reader) drive(n *yaml.Node, what string) (d AxisDrive) {
	positive, notNegative := span{0, math.Inf(1), true}, span{0, math.Inf(1), false}
	sub := func(fields ...field) func(*yaml.Node) {
		return func(n *yaml.Node) { r.section(n, what, fields) }
	}
	m, g, f, e := &d.Motor, &d.Gear, &d.Friction, &d.Encoder
	r.section(n, what, []field{
		{key: "motor", required: true, read: sub(
			field{key: "resistance", required: true, read: r.number(&m.Resistance, positive)},
			field{key: "torque_constant", required: true, read: r.number(&m.TorqueConstant, positive)},
			field{key: "rotor_inertia", required: true, read: r.number(&m.RotorInertia, notNegative)},
			field{key: "reversed", read: r.truth(&d.Reversed)},
		)},
		{key: "gear", read: sub(
			field{key: "ratio", required: true, read: r.number(&g.Ratio, positive)},
			field{key: "efficiency", read: r.number(&g.Efficiency, span{0, 1, true})},
		)},
		{key: "friction", read: sub(
			field{key: "viscous", read: r.number(&f.Viscous, notNegative)},
			field{key: "coulomb", read: r.number(&f.Coulomb, notNegative)},
			field{key: "static", read: r.number(&f.Static, notNegative)},
			field{key: "stribeck_velocity", read: r.number(&f.StribeckVelocity, notNegative)},
		)},
		{key: "encoder", required: true, read: sub(
			field{key: "lines", required: true, read: r.integer(&e.Lines, 1, 1e8)},
			field{key: "reversed", read: r.truth(&e.Reversed)},
		)},
		{key: "amplifier", required: true, read: sub(
			field{key: "supply", required: true, read: r.number(&d.Supply, positive)},
			field{key: "bits", read: r.integer(&d.Bits, 0, 32)},
		)},
		{key: "brake", read: sub(
			field{key: "torque", required: true, read: r.number(&d.Brake, notNegative)},
		)},
	})
	return d
}

// match compares the file with a robot: its name, and a drive for each joint that needs one.
func (f *DriveFile) match(tree *multibody.Tree) error {
	r := &reader{file: f.start.File}
	if f.Robot != tree.Name {
		r.failAt(f.start, "the drives are those of robot %q, but the description is of %q: write robot: %s, or take the file of its drives", f.Robot, tree.Name, tree.Name)
	}
	var names []string
	for _, j := range tree.Joints {
		if j.Type.NV() == 0 || j.Mimic != nil {
			continue
		}
		names = append(names, j.Name)
		if _, ok := f.Drives[j.Name]; !ok {
			r.failAt(f.start, "no drive for joint %q, which moves", j.Name)
		}
	}
	for name, at := range f.at {
		if !slices.Contains(names, name) {
			r.failAt(at, "a drive for %q, which is not an independent joint%s", name, hint(name, names))
		}
	}
	return r.err()
}
