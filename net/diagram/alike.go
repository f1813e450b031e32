package diagram

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/port"
)

// PortName is the name of a port and what it is.
type PortName struct {
	Name string
	Kind port.Kind
}

// ErrBroken is the error of [Diagram.PortsOf] for a block that could not be made, which is reported elsewhere.
var ErrBroken = errors.New("the block could not be made")

// PortsOf returns the ports of a block that was added, in the order of declaration, without its implicit inputs enable and trigger. A
// program of its own has inputs and outputs. Another name is an error.
func (d *Diagram) PortsOf(block string) (ports []PortName, err error) {
	if f := d.foreign[block]; f != nil {
		for _, name := range f.out {
			ports = append(ports, PortName{name, port.Output})
		}
		for _, name := range f.in {
			ports = append(ports, PortName{name, port.Input})
		}
		return ports, nil
	}
	b := d.byName[block]
	switch {
	case d.broken[block]:
		return nil, ErrBroken
	case b == nil:
		return nil, fmt.Errorf("no block %q%s", block, nearest.Later(block, d.blockNames))
	}
	for _, p := range b.Ports {
		if p.Name != port.EnableName && p.Name != port.TriggerName {
			ports = append(ports, PortName{p.Name, p.Kind})
		}
	}
	return ports, nil
}
