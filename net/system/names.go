package system

import (
	"fmt"
	"regexp"
	"strings"
)

// Names of systems, processes, hosts and threads become those of files, memory and subjects. Those of blocks in groups have dots
// in them, and so have the processes of such blocks.
var (
	plainName  = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]*$`)
	dottedName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$`)
)

// CheckName returns an error unless the name can be a system's: it becomes that of files and folders.
func CheckName(name string) error {
	if !plainName.MatchString(name) {
		return fmt.Errorf("system name %q: wants letters, digits, _ and -%s", name, possible(name))
	}
	return nil
}

// CheckPart returns an error unless the name can be that of a part of a system; what is its kind, "process" or "host".
func CheckPart(what, name string) error {
	if !dottedName.MatchString(name) {
		return fmt.Errorf("%s name %q: wants letters, digits, _ and -%s", what, name, possible(name))
	}
	return nil
}

// possible returns the name that is nearest to an impossible one, as the end of a message.
func possible(name string) string {
	word := strings.Trim(impossible.ReplaceAllString(name, "_"), "_-")
	if word == "" || len(word) > 60 {
		return ""
	}
	return ", as " + word
}

var impossible = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// checkNames reports the names that cannot become those of files.
func (l *loader) checkNames() {
	check := func(what, name, source string) {
		if err := CheckPart(what, name); err != nil {
			l.faults.Addf(source, "%w", err)
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
