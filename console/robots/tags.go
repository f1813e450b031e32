package robots

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
)

// The words of the tag show, with which the author of a block declares what its ports and operations mean for a picture of a robot.
// docs/howto/show-a-robot.md lists them.
const (
	showPosition    = "joint_position"
	showDesired     = "joint_desired"
	ShowTorque      = "joint_torque"
	showMove        = "joint_move"
	showPoint       = "joint_point"
	showPath        = "joint_path"
	showOutcome     = "joint_path_outcome"
	showPlace       = "base_position"
	showOrientation = "base_orientation"
	showContact     = "contact_force"
)

// showForms holds the kind of port or operation for each value of the tag, and its required type.
var showForms = map[string]struct{ kind, wants string }{
	showPosition:    {"output", jointNumbers},
	showDesired:     {portKind, jointNumbers},
	ShowTorque:      {"input", jointNumbers},
	showMove:        {operationKind, "the arguments float64[], float64 in s"},
	showPoint:       {operationKind, "the arguments int64, float64[]"},
	showPath:        {operationKind, noArguments},
	showOutcome:     {operationKind, noArguments},
	showPlace:       {"output", "float64[3]"},
	showOrientation: {"output", "float64[4]"},
	showContact:     {"output", contactStructs},
}

// The wishes of words that are no single kind or type.
const (
	portKind       = "output or input"
	operationKind  = "operation"
	noArguments    = "no arguments"
	jointNumbers   = "float64, one or some"
	contactStructs = "structs with the fields float64[3] point and float64[3] force"
)

// tags are the valid tags show of a block.
type tags struct {
	ports   map[string][]admin.Port // by word
	move    string                  // name of the operation that moves joints in a time
	point   string                  // name of that which adds a point to a path
	path    string                  // name of that which runs the path
	outcome string                  // name of that which returns what has become of it
}

// tagsOf returns the valid tags of a block, and the problems of the others.
func tagsOf(b admin.Block, types map[string]string) (tags, []string) {
	w := tags{ports: map[string][]admin.Port{}}
	var wrong []string
	for _, p := range b.Ports {
		if p.Show == "" {
			continue
		}
		if why := misuse(p.Show, p.Kind, p.Type, types); why != "" {
			wrong = append(wrong, b.Name+"."+p.Name+": "+why)
			continue
		}
		w.ports[p.Show] = append(w.ports[p.Show], p)
	}
	for _, o := range b.Operations {
		if o.Show == "" {
			continue
		}
		if why := misuse(o.Show, operationKind, argumentsOf(o), types); why != "" {
			wrong = append(wrong, b.Name+"."+o.Name+": "+why)
			continue
		}
		switch o.Show {
		case showMove:
			w.move = o.Name
		case showPoint:
			w.point = o.Name
		case showOutcome:
			w.outcome = o.Name
		case showPath:
			w.path = o.Name
		}
	}
	return w, wrong
}

// misuse explains why a tag is invalid at a port or operation; "" if it is valid.
func misuse(word, kind, is string, types map[string]string) string {
	form, known := showForms[word]
	if !known {
		var words []string
		for w := range showForms {
			words = append(words, w)
		}
		slices.Sort(words)
		return fmt.Sprintf("unknown value %q of the tag show%s", word, nearest.Hint(word, words))
	}
	fits := is == form.wants
	switch form.wants {
	case jointNumbers:
		fits = elementOf(is) == "float64"
	case contactStructs:
		fits = isContact(types[elementOf(is)])
	}
	if !fits || kind != form.kind && (form.kind != portKind || kind != "output" && kind != "input") {
		return fmt.Sprintf("the tag show is %q: expected an %s of %s, got an %s of %s", word, form.kind, form.wants, kind, is)
	}
	return ""
}

// elementOf returns the element type of a list's type, or the type itself.
func elementOf(typ string) string {
	element, _, _ := strings.Cut(typ, "[")
	return element
}

// isContact reports whether a definition of a struct has the fields of a contact.
func isContact(definition string) bool {
	lines := strings.Split(definition, "\n")
	has := func(field string) bool {
		return slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), field) })
	}
	return has("float64[3] point") && has("float64[3] force")
}

// argumentsOf describes the arguments of an operation as showForms does: without the units of lists, whose elements may be of
// joints that turn and of others that slide.
func argumentsOf(o admin.Operation) string {
	list := make([]string, len(o.Args))
	for i, a := range o.Args {
		list[i] = a.Type
		if a.Unit != "" && !strings.HasSuffix(a.Type, "]") {
			list[i] += " in " + a.Unit
		}
	}
	if len(list) == 0 {
		return noArguments
	}
	return "the arguments " + strings.Join(list, ", ")
}

// CheckTags returns what is wrong with the tags show of a system's blocks, one sentence each.
func CheckTags(st *admin.Structure) []string {
	var all []string
	for _, b := range st.Blocks {
		_, wrong := tagsOf(b, st.Types)
		all = append(all, wrong...)
	}
	return all
}
