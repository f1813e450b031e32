package system

import (
	"fmt"
	"regexp"
)

// Names of systems, processes, hosts and threads become those of files, memory and subjects. Those of blocks in groups have dots
// in them, and so have the processes of such blocks.
var (
	plainName  = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]*$`)
	dottedName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$`)
)

// checkNames tells the names that cannot become those of files.
func (l *loader) checkNames() {
	check := func(what, name, source string) {
		if !dottedName.MatchString(name) {
			l.errs = append(l.errs, problemAt(source, fmt.Errorf("%s name %q: wants letters, digits, _ and -", what, name)))
		}
	}
	for _, h := range l.sys.Deploy.Hosts {
		check("host", h.Name, h.Source)
	}
	for _, p := range l.sys.Deploy.Processes {
		if p.Source != "" {
			check("process", p.Name, p.Source)
		}
	}
}
