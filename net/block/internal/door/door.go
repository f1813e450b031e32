// Package door connects package inspect with what package block keeps from the authors of blocks. Package block sets its variables
// while it is initialized; nothing changes them afterwards.
package door

import "github.com/sinew-robotics/sinew/net/port"

// Inspector finds what the fields of blocks are: see inspect.Inspector.
type Inspector interface {
	Inspect(name string, b any, given port.Given) (*port.Instance, []error)
	AddEnable(i *port.Instance, number bool, doc string) *port.Port
	AddTrigger(i *port.Instance)
}

// NewInspector returns an inspector with an empty cache.
var NewInspector func() Inspector

// PortOf returns the port of a pointer to a field; it panics where that is none of In, Out, Event and Handler.
var PortOf func(field any) *port.Port
