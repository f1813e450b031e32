package deploy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
)

// names returns the names of the processes of all hosts, each once.
func (p *Plan) names() (names []string) {
	for _, plan := range p.all() {
		for _, q := range plan.Processes {
			if !slices.Contains(names, q.Name) {
				names = append(names, q.Name)
			}
		}
	}
	return names
}

// among returns those of some names that processes of this host have.
func (p *Plan) among(names []string) (here []string) {
	for _, name := range names {
		if p.process(name) != nil {
			here = append(here, name)
		}
	}
	return here
}

// resolve returns the processes, on any host, that names stand for: that of a process for itself, that of an included system for all of its
// processes. It fails for other names, and gives the nearest one.
func (p *Plan) resolve(names []string) (processes []string, err error) {
	known, subsystems := p.names(), p.subsystems()
	add := func(list ...string) {
		for _, name := range list {
			if !slices.Contains(processes, name) {
				processes = append(processes, name)
			}
		}
	}
	var unknown []string
	for _, name := range names {
		switch {
		case slices.Contains(known, name):
			add(name)
		case subsystems[name] != nil:
			add(subsystems[name]...)
		default:
			candidates := append(slices.Sorted(maps.Keys(subsystems)), known...)
			unknown = append(unknown, fmt.Sprintf("no process %q%s", name, nearest.Hint(name, candidates)))
		}
	}
	if unknown != nil {
		return nil, fmt.Errorf("%s: %s", p.System, strings.Join(unknown, "; "))
	}
	return processes, nil
}

// subsystems returns the processes of each included system, on all hosts.
func (p *Plan) subsystems() map[string][]string {
	of := map[string][]string{}
	for _, plan := range p.all() {
		for _, q := range plan.Processes {
			for _, name := range q.Subsystems {
				of[name] = append(of[name], q.Name)
			}
		}
	}
	return of
}

// needs returns the names of the processes, on any host, that the named ones need, directly or through others.
func (p *Plan) needs(names []string) []string {
	return p.closure(names, func(q *PlannedProcess, found []string) []string {
		if slices.Contains(found, q.Name) {
			return q.Needs
		}
		return nil
	})
}

// dependants returns the names of the processes, on any host, that need one of the named ones, directly or through others.
func (p *Plan) dependants(names []string) []string {
	return p.closure(names, func(q *PlannedProcess, found []string) []string {
		if slices.ContainsFunc(q.Needs, func(need string) bool { return slices.Contains(found, need) }) {
			return []string{q.Name}
		}
		return nil
	})
}

// closure adds to the names those that more returns for a process, given what was found, until nothing is new. It returns what it has added.
func (p *Plan) closure(names []string, more func(q *PlannedProcess, found []string) []string) []string {
	found := slices.Clone(names)
	for size := -1; size < len(found); {
		size = len(found)
		for _, plan := range p.all() {
			for i := range plan.Processes {
				for _, name := range more(&plan.Processes[i], found) {
					if !slices.Contains(found, name) {
						found = append(found, name)
					}
				}
			}
		}
	}
	return found[len(names):]
}

// stopOrder returns the names in groups in the order of stopping: those first that no process of a later group needs, and last those
// that sinew has added. Processes of a group stop at once.
func (p *Plan) stopOrder(names []string) (groups [][]string) {
	for left := p.names(); len(left) > 0; {
		needed := map[string]bool{}
		for _, plan := range p.all() {
			for _, q := range plan.Processes {
				if slices.Contains(left, q.Name) {
					for _, need := range q.Needs {
						needed[need] = true
					}
				}
			}
		}
		users := slices.ContainsFunc(left, func(name string) bool { return !added(name) })
		var group, later []string
		for _, name := range left {
			switch {
			case needed[name] || users && added(name):
				later = append(later, name)
			case slices.Contains(names, name):
				group = append(group, name)
			}
		}
		if group != nil {
			groups = append(groups, group)
		}
		left = later
	}
	return groups
}

// toStop returns the processes to stop where an operator names some, or included systems. Others that are active and depend on them are
// stopped too, where the operator has asked for that; else it fails with their names.
func (p *Plan) toStop(names []string, dependants bool, active func(name string) bool) ([]string, error) {
	names, err := p.resolve(names)
	if err != nil {
		return nil, err
	}
	others := slices.DeleteFunc(p.dependants(names), func(name string) bool { return !active(name) })
	if others = slices.Concat(p.stopOrder(others)...); others != nil && !dependants {
		return nil, fmt.Errorf("stop %s: other processes need it: %s; `sinew down %s %s --dependants` stops those first",
			strings.Join(names, ", "), strings.Join(others, ", "), p.System, strings.Join(names, " "))
	}
	return append(others, names...), nil
}
