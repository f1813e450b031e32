package model

import "github.com/spf13/cobra"

// motionFlags are the flags of the dynamics verbs: a robot, its velocity, and a third vector that causes or follows
// from the motion.
type motionFlags struct {
	robotFlags
	velocity  string
	other     string // acceleration or force
	otherFlag string // name of the flag for other
}

// register adds the flags; flag and usage are the name and the description of the third vector's.
func (f *motionFlags) register(cmd *cobra.Command, flag, usage string) {
	f.robotFlags.register(cmd, "", oneObject)
	cmd.Flags().StringVar(&f.velocity, "v", "", "velocity, rad/s and m/s: `joint=value,…` or all values in their order")
	cmd.Flags().StringVar(&f.other, flag, "", usage)
	f.otherFlag = "--" + flag
}

// read returns the robot in its configuration, its velocity, and the accelerations or forces.
func (f *motionFlags) read(file string) (c *configured, v, other []float64, err error) {
	if c, err = f.robotFlags.read(file); err != nil {
		return nil, nil, nil, err
	}
	v, other = make([]float64, c.model.NV()), make([]float64, c.model.NV())
	if err = readVector("--v", f.velocity, c.model, false, v); err == nil {
		err = readVector(f.otherFlag, f.other, c.model, false, other)
	}
	return c, v, other, err
}
