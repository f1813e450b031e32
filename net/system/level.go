package system

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/net/diagram"
)

// readLevels reads the number of levels that a system or group has, before its members are read.
func (l *loader) readLevels(body *yaml.Node, s *scope) {
	if n := child(body, "levels"); n != nil && n.Tag != "!!null" {
		s.levels = l.count(s.fill(l, n), "levels", diagram.MaxLevels)
	}
}

// memberLevel returns the level of a block or group in the group around it, whose scope is s.
func (l *loader) memberLevel(e entry, s *scope, what string) int {
	n := child(e.value, "level")
	if n != nil && n.Tag == "!!null" {
		n = nil
	}
	switch {
	case s.levels == 0 && n == nil:
		return 0
	case s.levels == 0:
		l.fail(n, "%s has a level, but %s has none: write levels: n there, or leave the level out", what, s.what())
		return 0
	case n == nil:
		l.fail(e.key, "%s has no level: write level: 0 (the lowest) to %d, as %s has levels", what, s.levels-1, s.what())
		return 0
	}
	level := l.int(s.fill(l, n), "level")
	if level < 0 || level >= s.levels {
		l.fail(n, "%s: level %d is not between 0 (the lowest) and %d, the levels of %s", what, level, s.levels-1, s.what())
		return 0
	}
	return level
}

// what names the group of the scope in messages.
func (s *scope) what() string {
	if s.prefix == "" {
		return "the system"
	}
	return fmt.Sprintf("group %q", strings.TrimSuffix(s.prefix, "."))
}
