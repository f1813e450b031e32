package block

// EnableName is the name of the input that every block has: while it reads false, the block is not executed.
const EnableName = "enable"

// Instance is a block in a system: what reflection found of it.
type Instance struct {
	Name       string
	Type       string
	Block      Block
	Params     []*Parameter
	Ports      []*Port
	Operations []*OperationInfo
	Bindings   []*Binding
	Enable     *Port

	enable  In[bool]
	sameLen [][]Sized
}

// TwoWay reports whether the block has the parts Sense and Control.
func (i *Instance) TwoWay() bool {
	_, ok := i.Block.(SenseController)
	return ok
}

// Executable reports whether the block has anything to execute.
func (i *Instance) Executable() bool {
	_, ok := i.Block.(Stepper)
	return ok || i.TwoWay()
}

// Port returns the port of the given name, or nil.
func (i *Instance) Port(name string) *Port {
	return find(i.Ports, name, func(p *Port) string { return p.Name })
}

// Param returns the parameter of the given name, or nil.
func (i *Instance) Param(name string) *Parameter {
	return find(i.Params, name, func(p *Parameter) string { return p.Name })
}

// Operation returns the operation of the given name, or nil.
func (i *Instance) Operation(name string) *OperationInfo {
	return find(i.Operations, name, func(o *OperationInfo) string { return o.Name })
}

func find[T any](list []*T, name string, nameOf func(*T) string) *T {
	for _, e := range list {
		if nameOf(e) == name {
			return e
		}
	}
	return nil
}

// SameLengths returns the groups of ports that Setup declared to have one length.
func (i *Instance) SameLengths() [][]*Port {
	var groups [][]*Port
	for _, sized := range i.sameLen {
		var group []*Port
		for _, s := range sized {
			if p, ok := s.(slot); ok && p.port() != nil {
				group = append(group, p.port())
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// Enabled reads the block's enable input: true while nobody links or feeds it.
func (i *Instance) Enabled() bool {
	on, status := i.enable.Read()
	return on || status == NoData
}
