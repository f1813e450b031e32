package model

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// robotFlags are the flags of the verbs that evaluate one robot in one configuration.
type robotFlags struct {
	source sourceFlags
	at     configurationFlags
	frame  string // link; "": the only end link
	output outputFlags
}

// register adds the flags; frame and json are the descriptions of --frame and --json.
func (f *robotFlags) register(cmd *cobra.Command, frame, json string) {
	f.source.register(cmd)
	f.registerState(cmd, frame, json)
}

// registerResting adds the flags of a verb for which the base of the robot is at rest.
func (f *robotFlags) registerResting(cmd *cobra.Command, frame, json string) {
	f.source.registerFile(cmd)
	f.registerState(cmd, frame, json)
}

func (f *robotFlags) registerState(cmd *cobra.Command, frame, json string) {
	f.source.registerMimic(cmd)
	f.at.register(cmd)
	if frame != "" {
		cmd.Flags().StringVar(&f.frame, "frame", "", frame)
	}
	f.output.register(cmd, json)
}

// configured is a robot in the configuration given by the flags.
type configured struct {
	robot *description.Robot
	model *multibody.Model
	q     []float64
}

// read reads the description and the configuration.
func (f *robotFlags) read(file string) (*configured, error) {
	robot, m, err := f.source.model(file)
	if err != nil {
		return nil, err
	}
	q, err := f.at.configuration(m)
	return &configured{robot, m, q}, err
}

// readLink reads like read for verbs about one link; it also returns the link's name and index.
func (f *robotFlags) readLink(file string) (c *configured, frame string, link int, err error) {
	if c, err = f.read(file); err != nil {
		return nil, "", 0, err
	}
	frame, link, err = frameOrEnd(c.robot, c.model, f.frame)
	return c, frame, link, err
}

// print prints the configuration as text, and its limit violations.
func (c *configured) print(w io.Writer) { printConfiguration(w, c.model, c.q) }

// printConfiguration prints q as text, and its limit violations.
func printConfiguration(w io.Writer, m *multibody.Model, q []float64) {
	t := newTable("joint", "position", "<", "<")
	outside := outOfLimits(m, q)
	for i, c := range positionCoordinates(m.Joints()) {
		t.row(c.name, fixed(q[i]), c.unit, outside[i])
	}
	t.print(w)
	fmt.Fprintln(w)
}

// outputFlags select the output format of a verb.
type outputFlags struct{ json bool }

// register adds --json with its description.
func (f *outputFlags) register(cmd *cobra.Command, usage string) {
	cmd.Flags().BoolVar(&f.json, "json", false, usage)
}

// Descriptions of flags that several verbs share.
const (
	oneObject = "print one JSON object"
	endFrame  = "`link`; default: the end link, if the robot has only one"
)

// write prints a result: as JSON, or as text by calling text.
func (f *outputFlags) write(w io.Writer, result any, text func(w io.Writer)) error {
	if f.json {
		return json.NewEncoder(w).Encode(result)
	}
	text(w)
	return nil
}
