package hierarchy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
)

// kind selects one of the four vectors of a module.
type kind uint8

const (
	sensorIn kind = iota
	sensorOut
	controlIn
	controlOut
	kinds
)

func (k kind) String() string {
	return [...]string{"sensor input", "sensor output", "control input", "control output"}[k]
}

// kindOf returns the vector that a port belongs to; ok is false for events, handlers and the enable input.
func kindOf(p *port.Port) (k kind, ok bool) {
	switch {
	case p.Name == port.EnableName || p.Kind != port.Input && p.Kind != port.Output:
		return 0, false
	case p.Part == port.Control:
		k = controlIn
	}
	if p.Kind == port.Output {
		k++
	}
	return k, true
}

// element is one value of a vector: an output, or one or several inputs that get the same value.
type element struct {
	name, unit, doc string
	ends            []diagram.End
}

// Vector is one of the four vectors of a module or group, or a selection of its elements.
type Vector struct {
	of       *Member
	kind     kind
	elements []element
}

// Element describes one value of a vector.
type Element struct{ Name, Unit, Doc string }

// Elements returns the descriptions of the vector's elements in their order.
func (v Vector) Elements() []Element {
	list := make([]Element, len(v.elements))
	for i, e := range v.elements {
		list[i] = Element{e.name, e.unit, e.doc}
	}
	return list
}

// Range returns the elements first, …, last-1. [Hierarchy.Build] reports a range outside the vector.
func (v Vector) Range(first, last int) Vector {
	if first < 0 || last > len(v.elements) || first >= last {
		v.of.fail("%v has elements 0 to %d: %d to %d is not a range of it", v, len(v.elements)-1, first, last-1)
		first, last = 0, 0
	}
	v.elements = v.elements[first:last]
	return v
}

// Pick returns the elements with the given names in the given order. If an element is a list, brackets select from it
// as in system files: "position[0:3]", "position[2,0,1]". [Hierarchy.Build] reports unknown names.
func (v Vector) Pick(names ...string) Vector {
	all := v.elements
	v.elements = make([]element, 0, len(names))
	for _, name := range names {
		e, err := pick(all, name)
		if err != nil {
			v.of.fail("%v has %w", v, err)
			v.elements = nil
			break
		}
		v.elements = append(v.elements, e)
	}
	return v
}

// pick returns the element with a name, or the part of it that the brackets after the name select.
func pick(all []element, text string) (element, error) {
	name, _, chooses := strings.Cut(text, "[")
	i := slices.IndexFunc(all, func(e element) bool { return e.name == name })
	if i < 0 {
		return element{}, fmt.Errorf("no element %q%s", name, nearest.Hint(name, elementNames(all)))
	}
	e := all[i]
	if !chooses {
		return e, nil
	}
	link, err := diagram.ParseLink("m." + text + " -> m.x")
	if err != nil {
		return element{}, fmt.Errorf("no %q: %w", text, err)
	}
	e.name, e.ends = text, slices.Clone(e.ends)
	for k, end := range e.ends {
		if e.ends[k].Elements, err = choose(end.Elements, link.From.Elements); err != nil {
			return element{}, fmt.Errorf("no %q: %w", text, err)
		}
	}
	return e, nil
}

// choose returns the selected elements of an end; nil selects all.
func choose(has, chosen []int) ([]int, error) {
	if has == nil {
		return chosen, nil
	}
	list := make([]int, len(chosen))
	for i, n := range chosen {
		if n >= len(has) {
			return nil, fmt.Errorf("it has length %d", len(has))
		}
		list[i] = has[n]
	}
	return list, nil
}

func (v Vector) check() {
	if v.of == nil {
		panic("hierarchy: a vector must come from a module or group, as in m.SensorOut()")
	}
}

func elementNames(list []element) []string {
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = e.name
	}
	return names
}

// String returns a name of the vector, as in "the sensor output of legs.left".
func (v Vector) String() string { return fmt.Sprintf("the %v of %s", v.kind, v.of.path) }

// list lists the elements of the vector.
func (v Vector) list() string {
	return fmt.Sprintf("%d (%s)", len(v.elements), strings.Join(elementNames(v.elements), ", "))
}
