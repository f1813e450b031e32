package deploy

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Changes describes how the plan of a system that is up differs from the one that its files and options lead to now; empty if they are the
// same. Keys and addresses of links between hosts, which are new in each plan, are not compared.
func (c Client) Changes(l Launch) ([]string, error) {
	running, err := ReadPlan(l.System.Name)
	if err != nil {
		return nil, err
	}
	now, err := NewPlan(l)
	if err != nil {
		return nil, err
	}
	now.settle(l.Sinew, "")
	return running.changes(now), nil
}

// changes compares the plan with a later one of the same system.
func (p *Plan) changes(now *Plan) (list []string) {
	note := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if a, b := p.Origin, now.Origin; a != nil && b != nil {
		short := func(path string) string {
			if relative, err := filepath.Rel(now.Dir, path); err == nil && filepath.IsLocal(relative) {
				return relative
			}
			return path
		}
		if a.File != b.File || !slices.Equal(a.Options, b.Options) {
			note("it was started by sinew up %s", strings.Join(append([]string{a.File}, a.Options...), " "))
		}
		for _, path := range slices.Sorted(maps.Keys(b.Files)) {
			if version, ok := a.Files[path]; !ok {
				note("file %s is read in addition", short(path))
			} else if version != b.Files[path] {
				note("file %s has changed", short(path))
			}
		}
		for _, path := range slices.Sorted(maps.Keys(a.Files)) {
			if _, ok := b.Files[path]; !ok {
				note("file %s is no longer read", short(path))
			}
		}
	}
	former, later := p.placed(), now.placed()
	for _, at := range slices.Sorted(maps.Keys(later)) {
		if q, ok := former[at]; !ok {
			note("process %s is new", at)
		} else if keys := q.changes(later[at]); keys != nil {
			note("process %s has another %s", at, strings.Join(keys, ", "))
		}
	}
	for _, at := range slices.Sorted(maps.Keys(former)) {
		if later[at] == nil {
			note("process %s is gone", at)
		}
	}
	return list
}

// placed returns the processes of all hosts by name and host.
func (p *Plan) placed() map[string]*PlannedProcess {
	all := map[string]*PlannedProcess{}
	for _, plan := range p.all() {
		for i := range plan.Processes {
			q := &plan.Processes[i]
			all[fmt.Sprintf("%q on %s", q.Name, plan.Host)] = q
		}
	}
	return all
}

// changes returns the keys of the system file whose values differ.
func (p *PlannedProcess) changes(now *PlannedProcess) (keys []string) {
	for _, x := range []struct {
		key     string
		differs bool
	}{
		{"command", !slices.Equal(p.Command, now.Command)},
		{"needs", !slices.Equal(p.Needs, now.Needs)},
		{"restart", p.Restart != now.Restart},
		{"oneshot", p.OneShot != now.OneShot},
		{"priority", p.Priority != now.Priority},
		{"cpu", p.CPU != now.CPU},
		{"ready", p.ReadyPort != now.ReadyPort || p.ReadyLine != now.ReadyLine},
	} {
		if x.differs {
			keys = append(keys, x.key)
		}
	}
	return keys
}
