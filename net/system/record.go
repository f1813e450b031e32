package system

import (
	pathpkg "path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/record"
)

// Record describes what the system's recorder writes.
type Record struct {
	File  string   // relative to the working directory; "" where the file names none
	Ports []string // patterns of block.port as path.Match takes them; nil: all outputs and what is watched
	Every int      // at most one value per this many activations of the port's thread
	Keep  int      // how many runs of the file are kept, the newest included
}

func (l *loader) readRecord(n *yaml.Node) {
	r := &Record{Every: 1, Keep: record.DefaultKeep}
	var keep *yaml.Node
	l.fields(n, "record", map[string]func(*yaml.Node){
		"file": func(v *yaml.Node) {
			if r.File = l.text(v, "file"); r.File == "" {
				return
			}
			if err := record.CheckPath(r.File); err != nil {
				l.fail(v, "file: %w", err)
			}
		},
		"every": func(v *yaml.Node) { r.Every = l.count(v, "every", diagram.MaxEvery) },
		"keep":  func(v *yaml.Node) { keep, r.Keep = v, l.count(v, "keep", record.MaxKeep) },
		"ports": func(v *yaml.Node) {
			if v.Kind != yaml.SequenceNode {
				l.fail(v, "ports wants a list of patterns, as [joint*.position]")
			}
			for _, c := range v.Content {
				if pattern := l.text(c, "ports"); pattern != "" {
					r.Ports = append(r.Ports, pattern)
					l.patterns = append(l.patterns, c)
				}
			}
		},
	})
	if keep != nil && record.IsTable(r.File) {
		l.fail(keep, "keep deletes the oldest logs, but tables do not name their writer and are all kept: leave keep out or write %s",
			strings.TrimSuffix(r.File, filepath.Ext(r.File))+".mcap")
	}
	l.sys.Record = r
}

// checkPatterns reports patterns of the record section that no port matches.
func (l *loader) checkPatterns() {
	if len(l.patterns) == 0 {
		return
	}
	ports, complete := l.diagram.Ports()
	for _, n := range l.patterns {
		matches := func(ref string) bool { ok, _ := pathpkg.Match(n.Value, ref); return ok }
		if _, err := pathpkg.Match(n.Value, ""); err != nil {
			l.fail(n, "record %q: no pattern: a bracket opens a set of letters, as in joint[12].position", n.Value)
		} else if complete && !slices.ContainsFunc(ports, matches) {
			l.fail(n, "record %q matches no port%s", n.Value, among(n.Value, ports))
		}
	}
}
