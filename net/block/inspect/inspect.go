// Package inspect finds the ports, parameters and operations of blocks, for packages that build nets, for tools and for tests. It leads
// from package block, which authors use, to package port, in which no types are left.
package inspect

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/internal/door"
	"github.com/sinew-robotics/sinew/net/port"
)

// Inspector finds the ports, parameters and operations of blocks by reflection. It caches the types it has seen. The zero value is
// ready to use, by one goroutine at a time.
type Inspector struct{ inspector door.Inspector }

// Inspect gives block b its name and parameters, runs its Setup and finds its ports and operations. All that is wrong comes at
// once; what is wrong with a parameter is a [port.ParamError]. It panics with a [block.Misuse] if the type of b cannot be that of a
// block: that is the programmer's mistake and no configuration's.
func (in *Inspector) Inspect(name string, b block.Block, given port.Given) (*port.Instance, []error) {
	return in.made().Inspect(name, b, given)
}

// AddEnable adds another condition for executing a block, and returns its input: a truth value or, with number, a number that enables the
// block while it is above 0.
func (in *Inspector) AddEnable(i *port.Instance, number bool, doc string) *port.Port {
	return in.made().AddEnable(i, number, doc)
}

// AddTrigger adds the input trigger to a block, which must not have a port of that name.
func (in *Inspector) AddTrigger(i *port.Instance) { in.made().AddTrigger(i) }

func (in *Inspector) made() door.Inspector {
	if in.inspector == nil {
		in.inspector = door.NewInspector()
	}
	return in.inspector
}

// PortOf returns the port of a field of a block, given a pointer to its [block.In], [block.Out], [block.Event] or [block.Handler];
// it panics with any other argument. It returns nil before an [Inspector] has seen the block.
func PortOf(field any) *port.Port { return door.PortOf(field) }
