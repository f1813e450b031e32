package system

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/internal/yamlfault"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// The limits of a system file.
const (
	MaxFileBytes = 64 << 20
	maxDepth     = 64 // of nested values and of files that have a base
	maxGroups    = 10000
	maxHosts     = 1000
	maxProcesses = 1000
	maxRate      = 1e9      // values a second of a link
	maxFilled    = 64 << 10 // bytes of a text, and nodes of a list or a mapping, with the parameters of its group in their places
)

// files is the YAML trees that were read, with the file that each node comes from.
type files struct {
	origin  map[*yaml.Node]string
	reach   *reach                      // what a candidate may read; nil: everything
	texts   map[string][]byte           // instead of what the files say, by absolute path
	paths   []string                    // in the order of reading
	added   map[*yaml.Node]bool         // keys that only an overlay has
	layers  map[*yaml.Node][]*yaml.Node // what overlays put over a mapping, the last one last
	noted   map[string]bool             // the same, for those that blocks read
	reading sync.Mutex                  // of paths and noted, once blocks read
	faults  diagram.Faults
}

// fail notes an error at a node.
func (f *files) fail(n *yaml.Node, format string, args ...any) {
	if f.faults.Full() {
		f.faults.Add("", nil) // it is counted only
		return
	}
	f.faults.Addf(f.source(n), format, args...)
}

// sortErrors brings the errors into the order of writing: by file in the order of reading, then by line and column.
func (f *files) sortErrors() {
	rank := func(e *diagram.Error) (key [3]int) {
		m := filePlace.FindStringSubmatch(e.Source)
		if m == nil {
			return key
		}
		key[0] = slices.Index(f.paths, m[1]) + 1
		key[1], _ = strconv.Atoi(m[2])
		key[2], _ = strconv.Atoi(m[3])
		return key
	}
	f.faults.Sort(func(a, b *diagram.Error) int {
		x, y := rank(a), rank(b)
		return slices.Compare(x[:], y[:])
	})
}

// filePlace takes file:line:column apart.
var filePlace = regexp.MustCompile(`^(.*):(\d+):(\d+)$`)

// source returns where a node was written, as file:line:column.
func (f *files) source(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	name := f.origin[n]
	if n.Line == 0 {
		return name
	}
	return fmt.Sprintf("%s:%d:%d", name, n.Line, n.Column)
}

// contents returns the text of a file, or its replacement in texts.
func contents(path string, texts map[string][]byte, within *reach) ([]byte, error) {
	if len(texts) > 0 {
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		if text, ok := texts[abs]; ok {
			return checked(text)
		}
	}
	file, err := within.open(path)
	if err != nil {
		return nil, err
	}
	return readAll(file)
}

// ReadFile reads a text file as a system's files are read: one above [MaxFileBytes], or with a byte 0, is an error.
func ReadFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return readAll(file)
}

// readAll reads and closes a file.
func readAll(file *os.File) ([]byte, error) {
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, MaxFileBytes+1))
	if err != nil {
		return nil, err
	}
	return checked(text)
}

func checked(text []byte) ([]byte, error) {
	switch {
	case len(text) > MaxFileBytes:
		return nil, fmt.Errorf("larger than %d MiB", MaxFileBytes>>20)
	case bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")):
		return nil, errors.New("it is UTF-16 text: save the file as UTF-8")
	case bytes.HasPrefix(text, []byte("\x89MCAP0")):
		return nil, errors.New("not a text file but a log: sinew plot, report and share read it")
	case bytes.IndexByte(text, 0) >= 0:
		return nil, errors.New("not a text file: name a system file, as demo.yaml")
	}
	return text, nil
}

func (f *files) failFile(path string, from *yaml.Node, err error) {
	var pathErr *os.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	remedy := f.remedy(path, err)
	if remedy == "" && from != nil && f.reach == nil && errors.Is(err, fs.ErrNotExist) {
		remedy = ": a path is relative to the folder of the file that names it"
	}
	f.faults.Addf(f.source(from), "read %s: %w%s", path, err, remedy)
}

// remedy returns what to do about a file that cannot be read, as the end of a message. A candidate learns nothing of other files.
func (f *files) remedy(path string, err error) string {
	if f.reach != nil {
		return ""
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nearest.File(os.DirFS(filepath.Dir(path)), filepath.Base(path))
	case errors.Is(err, fs.ErrPermission):
		return ": chmod u+r lets its owner read it"
	case errors.Is(err, syscall.EISDIR):
		there, _ := filepath.Glob(filepath.Join(path, "*.yaml"))
		if len(there) > 0 {
			return ": name a file in it, as " + there[0]
		}
		return ": name a file in it"
	}
	return ""
}

// otherKind describes a file that users take for a system file, and what reads it; "" where it is none of those.
func otherKind(path string, text []byte) string {
	switch {
	case bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) && bytes.Contains(text, []byte("<robot")):
		return "the description of a robot, which blocks take as a parameter: sinew model show " + path + " describes it"
	case bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")):
		return "XML: sinew model show describes robots, sinew plan solves scenarios"
	case filepath.Ext(path) == ".star":
		return "a script: sinew run SYSTEM.yaml --script " + path
	}
	return ""
}

// failYAML notes why a file is not YAML.
func (f *files) failYAML(path string, fault yamlfault.Fault) {
	f.faults.Addf(fmt.Sprintf("%s:%d:%d", path, fault.Line, fault.Column), "not YAML: %s", fault.Message)
}

// own notes for every node which file it comes from, and replaces aliases and decimal commas in braces, which are errors.
func (f *files) own(n *yaml.Node, path string, depth int) {
	f.origin[n] = path
	if depth > maxDepth {
		f.fail(n, "nested deeper than %d levels", maxDepth)
		n.Content = nil
		return
	}
	for i, c := range n.Content {
		if c.Kind == yaml.AliasNode {
			f.origin[c] = path
			f.fail(c, "anchors and aliases are not supported: use a group with include and params")
			n.Content[i] = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Line: c.Line, Column: c.Column}
			c = n.Content[i]
		}
		f.own(c, path, depth+1)
	}
	f.pointCommas(n)
}

// entry is a key of a mapping with its value.
type entry struct{ key, value *yaml.Node }

// entries returns the entries of a mapping; an error where n is none or a key comes twice.
func (f *files) entries(n *yaml.Node, what string) []entry {
	if n == nil || n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		if n.Kind == yaml.SequenceNode {
			f.fail(n, "%s wants a mapping, not a list: as name: value, without dashes or brackets", what)
		} else {
			f.fail(n, "%s wants a mapping, as {name: value}", what)
		}
		return nil
	}
	seen := map[string]*yaml.Node{}
	var list []entry
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if first := seen[key.Value]; first != nil {
			f.fail(key, "%q is there twice, first in line %d", key.Value, first.Line)
			continue
		}
		seen[key.Value] = key
		list = append(list, entry{key, n.Content[i+1]})
	}
	return list
}

// atMost returns the first entries of a list that has a limit; an error where it is longer.
func (f *files) atMost(most int, what string, list []entry) []entry {
	if len(list) > most {
		f.fail(list[most].key, "%s: at most %d are possible, these are %d", what, most, len(list))
		return list[:most]
	}
	return list
}

// fields gives each entry of a mapping to the function of its key. Unknown keys are errors, with a hint where no known key is near.
func (f *files) fields(n *yaml.Node, what string, known map[string]func(*yaml.Node), hint ...string) {
	for _, e := range f.entries(n, what) {
		if read, ok := known[e.key.Value]; ok {
			read(e.value)
			continue
		}
		if key, rest, colon := strings.Cut(e.key.Value, ":"); colon && known[key] != nil {
			f.fail(e.key, "%s has no key %q: a space belongs after the colon, as %s: %s", what, e.key.Value, key, rest)
			continue
		}
		if place := elsewhere[e.key.Value]; place != "" && nearest.Name(e.key.Value, slices.Collect(maps.Keys(known))) == "" {
			f.fail(e.key, "%s has no key %q: %s", what, e.key.Value, place)
			continue
		}
		if len(hint) > 0 && nearest.Name(e.key.Value, slices.Collect(maps.Keys(known))) == "" {
			f.fail(e.key, "%s has no key %q%s", what, e.key.Value, hint[0])
			continue
		}
		f.fail(e.key, "%s has no key %q%s", what, e.key.Value, nearest.Later(e.key.Value, func() []string { return slices.Sorted(maps.Keys(known)) }))
	}
}

// Where keys belong that were found elsewhere.
const (
	inGroup  = "it is a key of a group, as groups: {arm: {on_enable: reset, blocks: {…}}}"
	inThread = "it is a key of a thread, as threads: {main: {period: 10ms}}"
	inLink   = "it is a key of a link, as {link: a.out -> b.in, buffer: 4}"
)

var elsewhere = map[string]string{
	"on_enable": inGroup,
	"period":    inThread, "triggered": inThread, "priority": inThread, "cpu": inThread, "spin": inThread, "watchdog": inThread, "follow": inThread, "on_fault": inThread,
	"delay": inLink, "newest": inLink, "direct": inLink, "encode": inLink, "wait": inLink, "buffer": inLink, "max_rate": inLink, "timeout": inLink, "overflow": inLink,
}

// value converts a node to what blocks take as parameters.
func (f *files) value(n *yaml.Node) any {
	switch n.Kind {
	case yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			list = append(list, f.value(c))
		}
		return list
	case yaml.MappingNode:
		m := map[string]any{}
		for _, e := range f.entries(n, "value") {
			m[e.key.Value] = f.value(e.value)
		}
		return m
	}
	switch n.ShortTag() {
	case "!!int":
		if x, err := strconv.ParseInt(strings.ReplaceAll(n.Value, "_", ""), 0, 64); err == nil {
			return x
		}
		fallthrough
	case "!!float":
		var x float64
		if err := n.Decode(&x); err == nil {
			return x
		}
	case "!!bool":
		var b bool
		if err := n.Decode(&b); err == nil {
			return b
		}
	case "!!null":
		return nil
	}
	return n.Value
}

// resolvePath returns a path that was written in a file of folder dir.
func resolvePath(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
