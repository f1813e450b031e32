package system

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
)

// shownPort is a port of a block or of a group in a scope, and the end of a link that it stands for.
type shownPort struct {
	diagram.PortName
	end diagram.End
}

// ends returns the ends of the links that a text stands for: the one of "a.out -> b.in", or for "a -> b", two blocks or groups, all whose
// ports have one name.
func (l *loader) ends(text string, s *scope) (pairs [][2]diagram.End, err error) {
	from, to, _ := strings.Cut(text, "->")
	from, to = strings.TrimSpace(from), strings.TrimSpace(to)
	switch whole, whole2 := isWhole(from), isWhole(to); {
	case whole && whole2:
		return l.alike(text, from, to, s)
	case whole || whole2:
		return nil, fmt.Errorf("link %q: name the port at both ends, or at neither, as in sampler -> sensor, which links the ports of one name", text)
	}
	link, err := diagram.ParseLink(text)
	if err != nil {
		return nil, err
	}
	if l.selected += len(link.From.Elements) + len(link.To.Elements); l.selected > diagram.MaxSelected {
		return nil, fmt.Errorf("link %q: the links of a system choose at most %d elements", text, diagram.MaxSelected)
	}
	a, fromErr := s.end(link.From)
	b, toErr := s.end(link.To)
	if err := errors.Join(fromErr, toErr); err != nil {
		return nil, fmt.Errorf("link %v: %w", link, err)
	}
	return [][2]diagram.End{{a, b}}, nil
}

// isWhole reports whether an end of a link names a block or a group without a port.
func isWhole(end string) bool {
	return end != "" && dottedName.MatchString(end) && !strings.Contains(end, ".")
}

// alike returns the links from the outputs and events of one block or group to the inputs and handlers of another that have the same
// name. In a range the number may follow the name at one end: joint7 has position, sensor position7.
func (l *loader) alike(text, from, to string, s *scope) (pairs [][2]diagram.End, err error) {
	outs, err := l.shown(from, s)
	ins, err2 := l.shown(to, s)
	if errors.Is(err, diagram.ErrBroken) || errors.Is(err2, diagram.ErrBroken) {
		return nil, nil
	}
	if err := errors.Join(err, err2); err != nil {
		return nil, fmt.Errorf("link %q: %w", text, err)
	}
	number := ""
	if s.number != nil {
		number = s.number.Value
	}
	taken := map[string]string{} // by input: the output that it is linked to
	for _, o := range outs {
		var found []shownPort
		for _, in := range ins {
			fits := o.Kind == port.Output && in.Kind == port.Input || o.Kind == port.Event && in.Kind == port.Handler
			if fits && (o.Name == in.Name || number != "" && (o.Name+number == in.Name || o.Name == in.Name+number)) {
				found = append(found, in)
			}
		}
		if len(found) > 1 {
			return nil, fmt.Errorf("link %q: %s.%s may lead to %s.%s or to %s.%s: link the ports by their names", text, from, o.Name, to, found[0].Name, to, found[1].Name)
		}
		for _, in := range found {
			if other, there := taken[in.Name]; there {
				return nil, fmt.Errorf("link %q: %s.%s may come from %s.%s or from %s.%s: link the ports by their names", text, to, in.Name, from, other, from, o.Name)
			}
			taken[in.Name] = o.Name
			pairs = append(pairs, [2]diagram.End{o.end, in.end})
		}
	}
	if pairs == nil {
		return nil, fmt.Errorf("link %q: no output of %s has the name of an input of %s: %s has %s, and %s has %s; link the ports by their names",
			text, from, to, from, listed(outs, true), to, listed(ins, false))
	}
	return pairs, nil
}

// shown returns the ports of a block or group of a scope, in the order of declaration or of their names.
func (l *loader) shown(name string, s *scope) (ports []shownPort, err error) {
	group, isGroup := s.groups[name]
	if !isGroup {
		list, err := l.diagram.PortsOf(s.prefix + name)
		for _, p := range list {
			ports = append(ports, shownPort{p, diagram.End{Block: s.prefix + name, Port: p.Name}})
		}
		return ports, err
	}
	for port, end := range group {
		behind, err := l.diagram.PortsOf(end.Block)
		if err != nil {
			return nil, err
		}
		for _, p := range behind {
			if p.Name == end.Port {
				ports = append(ports, shownPort{diagram.PortName{Name: port, Kind: p.Kind}, end})
			}
		}
	}
	slices.SortFunc(ports, func(a, b shownPort) int { return strings.Compare(a.Name, b.Name) })
	return ports, nil
}

// listed names at most five of the ports on one side, for an error.
func listed(ports []shownPort, sources bool) string {
	const most = 5
	var names []string
	for _, p := range ports {
		if p.Kind.IsSource() == sources {
			names = append(names, p.Name)
		}
	}
	what := "input"
	if sources {
		what = "output"
	}
	switch {
	case len(names) == 0:
		return "no " + what
	case len(names) == 1:
		return "the " + what + " " + names[0]
	case len(names) > most:
		return fmt.Sprintf("the %ss %s and %d more", what, strings.Join(names[:most], ", "), len(names)-most)
	}
	return "the " + what + "s " + strings.Join(names, ", ")
}
