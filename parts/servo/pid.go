package servo

import (
	"errors"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/control"
)

// PID is the incremental servo law with output limits.
//
//	e[k] = ref[k] - sen[k]
//	u[k] = sat( u[k-1] + Kp (e[k]-e[k-1]) + Ki e[k] + Kd (e[k] - 2 e[k-1] + e[k-2]) )
//
//	ref ─► ┌─────┐
//	sen ─► │ PID ├─► out
//	       └─────┘
//
// It runs for each new sen. The first error is also taken for the two before it, so that the output does not start with a jump.
// Before the first ref it writes 0 V. With min and max both 0 there are no limits. These three rules are additions to the law.
//
// A control error that is not a finite number puts the block in error: 0 V. A reset clears the past errors.
type PID struct {
	Coordinate block.Const[string] `default:"rad" doc:"unit of the positions"`
	Command    block.Const[string] `default:"V" doc:"unit of the commands"`

	Ref block.In[float64]  `required:"yes" unit:"{Coordinate}" doc:"desired position"`
	Sen block.In[float64]  `required:"yes" unit:"{Coordinate}" doc:"measured position" trigger:"yes"`
	Out block.Out[float64] `unit:"{Command}" safe:"0" doc:"command to the actuator"`

	Kp  block.Param[float64] `unit:"{Command}/{Coordinate}" min:"0" doc:"proportional gain"`
	Ki  block.Param[float64] `unit:"{Command}/{Coordinate}" min:"0" doc:"integral gain per sample"`
	Kd  block.Param[float64] `unit:"{Command}/{Coordinate}" min:"0" doc:"differential gain per sample"`
	Min block.Param[float64] `unit:"{Command}" default:"-24" doc:"minimum command"`
	Max block.Param[float64] `unit:"{Command}" default:"24" doc:"maximum command"`

	law     control.PID
	started bool
}

var (
	errNotFinite = errors.New("ref - sen is not a finite number")
	errLimits    = errors.New("min is greater than max")
)

// CheckParams copies the parameters into the law.
func (p *PID) CheckParams() error {
	if p.Min.Value() > p.Max.Value() {
		return errLimits
	}
	p.law.Kp, p.law.Ki, p.law.Kd = p.Kp.Value(), p.Ki.Value(), p.Kd.Value()
	p.law.UMin, p.law.UMax = p.Min.Value(), p.Max.Value()
	return nil
}

// Setup checks the first gains.
func (p *PID) Setup(*block.Setup) error { return p.CheckParams() }

// Stop resets the law.
func (p *PID) Stop() error {
	p.Restart()
	return nil
}

// Restart implements [block.Restarter].
func (p *PID) Restart() {
	p.law.Reset()
	p.started = false
}

// Step calculates the command.
func (p *PID) Step(clock.Tick) error {
	sen, _ := p.Sen.Read()
	ref, status := p.Ref.Read()
	if status == block.NoData {
		p.Out.Write(0)
		return nil
	}
	e := ref - sen
	if !p.started {
		p.started = true
		p.law.Bumpless(0, e)
	}
	u, ok := p.law.Step(e)
	if !ok {
		return errNotFinite
	}
	p.Out.Write(u)
	return nil
}
