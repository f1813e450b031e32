package port

import (
	"slices"

	"github.com/sinew-robotics/sinew/net/schema"
)

// EnableName is the name of the input that every block has: while it reads false, the block is not executed. Further conditions, those of
// its groups and numbers, have inputs enable2, enable3 and so on: all must hold.
const EnableName = "enable"

// TriggerName is the name of the input that a block has where the trigger of its group is linked: the block is executed once for each
// time that it becomes true.
const TriggerName = "trigger"

// Instance is a block in a system: what its fields are.
type Instance struct {
	Name        string // in the system
	Type        string // as in "servo.PID"
	Block       any    // a pointer to the block's struct
	TwoWay      bool   // the block has the parts Sense and Control
	MayBlock    bool   // its step may read files, print or wait: not for threads with a priority
	Executable  bool   // there is anything to execute: Step, or both parts
	Params      []*Parameter
	Persistent  []*Parameter // whose values outlive the run: parameters with the tag persist, and state fields, which only stand here
	Restored    []Restored   // what became of the values that an earlier run has left
	Ports       []*Port      // the last of them are Enable, and Trigger where there is one
	Operations  []*Operation
	Bindings    []*Binding
	Enable      *Port
	Trigger     *Port             // of a block in a triggered group; nil: its group is not triggered
	SameLengths [][]*Port         // groups of ports that Setup declared to have one length
	Notices     []string          // what Setup found that is no error, but may not be wanted: see block.Setup.Notice
	Absent      []*Operation      // that Setup has removed
	Omitted     map[string]string // ports and operations that Setup has removed, with the reason

	gates  []gate
	byName map[string]*Port // of the ports, where they are many
}

// gate is an input that decides whether the block is executed.
type gate struct {
	port   *Port
	number bool // it is open while its value is above 0; else while it is true
}

// Restored describes what became of a value that an earlier run has left.
type Restored struct {
	Name string // of the parameter or state field
	Why  string // what an operator should know: the value was not restored, or the configuration states another one; "": it is as it was
}

// manyPorts is from how many ports on they are found by an index.
const manyPorts = 32

// Add completes a port, of which the caller has set what its tags say, and adds it to the block. It has the given field, of plain
// data of type t, whose slice has length elements so far.
func (i *Instance) Add(p *Port, f Field, t *schema.Type, length int) {
	p.Block, p.Index, p.Type, p.length = i, len(i.Ports), t, length
	p.bind(f)
	p.Kind = p.kind()
	p.limits = outsideLimits(p.Name, p.Unit)
	i.Ports = append(i.Ports, p)
	switch {
	case i.byName != nil:
		i.index(p)
	case len(i.Ports) == manyPorts:
		i.byName = map[string]*Port{}
		for _, p := range i.Ports {
			i.index(p)
		}
	}
}

// index makes a port found by its name; the first of a name counts.
func (i *Instance) index(p *Port) {
	if i.byName[p.Name] == nil {
		i.byName[p.Name] = p
	}
}

// Port returns the port of the given name, or nil.
func (i *Instance) Port(name string) *Port {
	if i.byName != nil {
		return i.byName[name]
	}
	return find(i.Ports, name, func(p *Port) string { return p.Name })
}

// WhyOmitted returns the reason why Setup has removed a port or an operation, as ": brake is false"; "" where it has not.
func (i *Instance) WhyOmitted(name string) string {
	if why, ok := i.Omitted[name]; ok {
		return ": " + why
	}
	return ""
}

// Param returns the parameter of the given name, or nil.
func (i *Instance) Param(name string) *Parameter {
	return find(i.Params, name, func(p *Parameter) string { return p.Name })
}

// Operation returns the operation of the given name, or nil.
func (i *Instance) Operation(name string) *Operation {
	return find(i.Operations, name, func(o *Operation) string { return o.Name })
}

func find[T any](list []*T, name string, nameOf func(*T) string) *T {
	for _, e := range list {
		if nameOf(e) == name {
			return e
		}
	}
	return nil
}

// Triggered reports whether the block's trigger reads true: false while nothing was written or fed.
func (i *Instance) Triggered() bool {
	f := i.Trigger.field
	return *f.Counter() > 0 && *(*bool)(f.Pointer())
}

// AddGate makes one of the block's inputs, a truth value or a float64, a condition for executing it.
func (i *Instance) AddGate(p *Port) {
	i.gates = append(i.gates, gate{p, p.Type.Kind() == schema.Float64})
}

// IsGate reports whether a port decides whether the block is executed.
func (i *Instance) IsGate(p *Port) bool {
	return p == i.Trigger && p != nil || slices.ContainsFunc(i.gates, func(g gate) bool { return g.port == p })
}

// Gated reports whether one of the conditions for executing the block is linked, or was written or fed.
func (i *Instance) Gated() bool {
	for k := range i.gates {
		if p := i.gates[k].port; *p.Count() > 0 || p.Linked() {
			return true
		}
	}
	return false
}

// Enabled reports whether all conditions for executing the block hold: a truth value while it is true, a number while it is above 0,
// which NaN is not. One that was never written and is not fed holds.
func (i *Instance) Enabled() bool {
	for k := range i.gates {
		g := &i.gates[k]
		f := g.port.field
		switch {
		case *f.Counter() == 0:
		case g.number && *(*float64)(f.Pointer()) > 0:
		case !g.number && *(*bool)(f.Pointer()):
		default:
			return false
		}
	}
	return true
}
