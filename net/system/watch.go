package system

import (
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/schema"
)

// readWatch reads the patterns of the signals that the system watches.
func (l *loader) readWatch(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		l.fail(n, "watch wants a list of signals, as [arm.position, \"arm.torque[0:3]\"]")
		return
	}
	for _, c := range n.Content {
		p, err := record.ParsePattern(l.text(c, "watch"))
		if err != nil {
			l.fail(c, "watch: %w", err)
			continue
		}
		l.sys.Watch = append(l.sys.Watch, p)
		l.watch = append(l.watch, c)
	}
}

// checkWatch reports patterns that select no signal of the net. One process of several may have none.
func (l *loader) checkWatch(net *diagram.Net) {
	if l.process != "" || len(l.watch) == 0 {
		return
	}
	var names []string
	for _, b := range net.Blocks {
		for _, p := range b.Ports {
			if (p.Kind == port.Output || p.Kind == port.Input) && !p.Layout().Bounded() {
				names = append(append(names, p.Ref()), record.SignalNames(p.Ref(), p.Type, p.Layout().Leaves())...)
			}
		}
	}
	for i, p := range l.sys.Watch {
		if !slices.ContainsFunc(names, p.Match) {
			l.fail(l.watch[i], "watch: no port has a signal %q%s", p.String(), nearest.Hint(p.String(), slices.Compact(names)))
		}
	}
}

// Watched returns the signals of a port that the system file watches: leaves of its layout, and their names. Elements of a port whose
// values have lengths of their own are none, for they may not be there.
func (s *System) Watched(p *port.Port) (leaves []schema.Leaf, names []string) {
	if len(s.Watch) == 0 || p.Kind != port.Output && p.Kind != port.Input || p.Layout().Bounded() {
		return nil, nil
	}
	all := p.Layout().Leaves()
	for i, name := range record.SignalNames(p.Ref(), p.Type, all) {
		if slices.ContainsFunc(s.Watch, func(w record.Pattern) bool { return w.Match(name) }) {
			leaves, names = append(leaves, all[i]), append(names, name)
		}
	}
	return leaves, names
}
