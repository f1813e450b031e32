package program

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// result is the output of check as JSON.
type result struct {
	Program     string       `json:"program"`
	Duration    float64      `json:"duration"` // s
	Moves       []moveResult `json:"moves"`
	Outputs     []output     `json:"outputs"`
	Joints      []use        `json:"joints"`
	Carried     []carried    `json:"carried"`
	Singularity *singularity `json:"singularity,omitempty"`
	Contacts    string       `json:"contacts,omitempty"` // with --scene
}

type moveResult struct {
	Move     int     `json:"move"` // number, from 1
	Line     int     `json:"line"`
	Kind     string  `json:"kind"`
	Start    float64 `json:"start"`    // s
	Duration float64 `json:"duration"` // s
	Length   float64 `json:"length"`   // m
}

type output struct {
	Time  float64 `json:"time"` // s
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// carried is an object that a link carries for a time.
type carried struct {
	Object string  `json:"object"`
	Link   string  `json:"link"`
	From   float64 `json:"from"` // s
	To     float64 `json:"to"`
}

// use is which part of its limits a joint uses at most.
type use struct {
	Joint        string  `json:"joint"`
	Velocity     float64 `json:"velocity"`
	Acceleration float64 `json:"acceleration"`
	Jerk         float64 `json:"jerk"`
}

// singularity is where lines and arcs come nearest to one.
type singularity struct {
	Value float64 `json:"least_singular_value"`
	Move  int     `json:"move"`
	S     float64 `json:"s"` // m
}

func checkCommand() *cobra.Command {
	var f robotFlags
	var asJSON bool
	var obstacles string
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Check a program for a robot, and print its times",
		Long: `Check a program for a robot, and print its moves with their times.

A program is refused with the line of the first move that cannot be executed: a target out of reach or beyond the limits of a joint, a line or an arc
that leaves the limits of a joint, jumps to another branch of the inverse kinematics or comes near to a singularity, a blend that is longer than half of a move. With --scene or --srdf the exact engine examines whether the robot, with what it carries between
attach and detach, touches obstacles or itself at any time.

--end-of prints the start of a plan that a movePath of the program reads.`,
		Example: "  sinew program check examples/arm/square.yaml --robot models/panda/panda.urdf --locked panda_finger_joint1=0.02 --start 0,-0.7854,0,-2.3562,0,1.5708,0.7854",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.compile(args[0])
			if err != nil {
				return err
			}
			if f.endOf > 0 {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(append(c.end(), f.held()...), ","))
				return err
			}
			r := c.result(args[0])
			if obstacles != "" || f.srdf != "" {
				if r.Contacts, err = f.free(c, args[0], obstacles, cmd.ErrOrStderr()); err != nil {
					return err
				}
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(r)
			}
			return r.print(cmd.OutOrStdout())
		},
	}
	f.register(cmd)
	registerScene(cmd, &obstacles, "obstacles that the motion must not touch")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&f.endOf, "end-of", 0, "print only where the joints are at the end of this `move`, as --start of sinew plan reads it; the moves after it do not count")
	return cmd
}

// held returns the joints that --locked puts elsewhere than at 0.
func (f *robotFlags) held() (list []string) {
	for _, x := range f.locked {
		if strings.Contains(x, "=") {
			list = append(list, x)
		}
	}
	return list
}

// end returns where the joints are at the end of the motion, as joint=position.
func (c *compiled) end() (list []string) {
	states := make([]trajectory.State, c.motion.Axes())
	c.motion.At(c.motion.Duration(), states)
	for i, s := range states {
		list = append(list, fmt.Sprintf("%s=%.6f", c.names[i], s.Position))
	}
	return list
}

// result collects what is known of a motion.
func (c *compiled) result(file string) *result {
	m := c.motion
	r := &result{Program: c.title(file), Duration: m.Duration(), Joints: c.uses(), Outputs: []output{}, Carried: []carried{}}
	for _, p := range m.Parts {
		v := &c.program.Moves[p.Move]
		r.Moves = append(r.Moves, moveResult{p.Move + 1, v.At.Line, v.Kind.String(), p.Start, p.End - p.Start, p.Length})
	}
	for _, o := range m.Outputs {
		r.Outputs = append(r.Outputs, output{o.Time, o.Name, o.Value})
	}
	for _, x := range m.Carries {
		r.Carried = append(r.Carried, carried{x.Object, x.Link, x.From, x.To})
	}
	if s := m.Report; s.Singularity > 0 {
		r.Singularity = &singularity{s.Singularity, s.SingularMove + 1, s.SingularS}
	}
	return r
}

// cycle is the period at which motions are sampled for tables and pictures, s.
const cycle = 1e-3

// uses returns the greatest parts of the limits.
func (c *compiled) uses() []use {
	m := c.motion
	list := make([]use, m.Axes())
	states, jerk := make([]trajectory.State, m.Axes()), make([]float64, m.Axes())
	for k := 0; float64(k)*cycle <= m.Duration(); k++ {
		m.At(float64(k)*cycle, states)
		m.Jerk(float64(k)*cycle, jerk)
		for i, s := range states {
			u, l := &list[i], m.Limits[i]
			u.Joint = c.names[i]
			u.Velocity = max(u.Velocity, math.Abs(s.Velocity)/l.Velocity)
			u.Acceleration = max(u.Acceleration, math.Abs(s.Acceleration)/l.Acceleration)
			u.Jerk = max(u.Jerk, math.Abs(jerk[i])/l.Jerk)
		}
	}
	return list
}

// print writes tables.
func (r *result) print(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(to, "%s: %.3f s\n\n", r.Program, r.Duration)
	fmt.Fprintln(w, "move\tline\tkind\tstart [s]\tduration [s]\tlength [mm]\t")
	for _, m := range r.Moves {
		fmt.Fprintf(w, "%d\t%d\t%s\t%.3f\t%.3f\t%.0f\t\n", m.Move, m.Line, m.Kind, m.Start, m.Duration, 1000*m.Length)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(to)
	fmt.Fprintln(w, "joint\tvelocity\tacceleration\tjerk\t")
	for _, u := range r.Joints {
		fmt.Fprintf(w, "%s\t%.0f %%\t%.0f %%\t%.0f %%\t\n", u.Joint, 100*u.Velocity, 100*u.Acceleration, 100*u.Jerk)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(r.Outputs)+len(r.Carried) > 0 {
		fmt.Fprintln(to)
	}
	for _, o := range r.Outputs {
		fmt.Fprintf(to, "%s becomes %g at %.3f s\n", o.Name, o.Value, o.Time)
	}
	for _, x := range r.Carried {
		fmt.Fprintf(to, "%s carries %s from %.3f to %.3f s\n", x.Link, x.Object, x.From, x.To)
	}
	if s := r.Singularity; s != nil {
		fmt.Fprintf(to, "\nnearest to a singularity: least singular value %.3g in move %d at s = %.4g m\n", s.Value, s.Move, s.S)
	}
	if r.Contacts != "" {
		fmt.Fprintf(to, "\ncontacts: %s\n", r.Contacts)
	}
	return nil
}
