package console

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
)

// The words of the tag show: with them the author of a block says what its ports and operations are in a picture of a
// robot. docs/howto/show-a-robot.md lists them.
const (
	showPosition    = "joint_position"
	showDesired     = "joint_desired"
	showTorque      = "joint_torque"
	showMove        = "joint_move"
	showPlace       = "base_position"
	showOrientation = "base_orientation"
	showContact     = "contact_force"
)

// showForms are what may bear each word: an output, an input or an operation, and what it has to hold.
var showForms = map[string]struct{ kind, wants string }{
	showPosition:    {"output", jointNumbers},
	showDesired:     {portKind, jointNumbers},
	showTorque:      {"input", jointNumbers},
	showMove:        {operationKind, "the arguments float64[], float64 in s"},
	showPlace:       {"output", "float64[3]"},
	showOrientation: {"output", "float64[4]"},
	showContact:     {"output", contactStructs},
}

// What words want where no one kind or type says it.
const (
	portKind       = "output or input"
	operationKind  = "operation"
	jointNumbers   = "float64, one or some"
	contactStructs = "structs with the fields float64[3] point and float64[3] force"
)

// shown words of a block: its ports and operations by the word that they bear truly.
type shownWords struct {
	ports map[string][]admin.Port
	move  string // name of the operation
}

// wordsOf returns the words of a block, and what is wrong with those that are left out.
func wordsOf(b admin.Block, types map[string]string) (shownWords, []string) {
	w := shownWords{ports: map[string][]admin.Port{}}
	var wrong []string
	for _, p := range b.Ports {
		if p.Show == "" {
			continue
		}
		if why := misshown(p.Show, p.Kind, p.Type, types); why != "" {
			wrong = append(wrong, b.Name+"."+p.Name+": "+why)
			continue
		}
		w.ports[p.Show] = append(w.ports[p.Show], p)
	}
	for _, o := range b.Operations {
		if o.Show == "" {
			continue
		}
		if why := misshown(o.Show, operationKind, argumentsOf(o), types); why != "" {
			wrong = append(wrong, b.Name+"."+o.Name+": "+why)
			continue
		}
		w.move = o.Name
	}
	return w, wrong
}

// misshown says why something may not bear a word, "" where it may.
func misshown(word, kind, is string, types map[string]string) string {
	form, known := showForms[word]
	if !known {
		var words []string
		for w := range showForms {
			words = append(words, w)
		}
		slices.Sort(words)
		return fmt.Sprintf("the tag show says %q, which is no word of a robot's picture%s", word, nearest.Hint(word, words))
	}
	fits := is == form.wants
	switch form.wants {
	case jointNumbers:
		fits = elementOf(is) == "float64"
	case contactStructs:
		fits = isContact(types[elementOf(is)])
	}
	if !fits || kind != form.kind && (form.kind != portKind || kind != "output" && kind != "input") {
		return fmt.Sprintf("the tag show says %q: wants an %s of %s; this is an %s of %s", word, form.kind, form.wants, kind, is)
	}
	return ""
}

// elementOf returns the type of what a port has one or some of.
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

// argumentsOf tells the arguments of an operation as showForms does: without the units of lists, whose elements may be of
// joints that turn and of others that slide.
func argumentsOf(o admin.Operation) string {
	list := make([]string, len(o.Args))
	for i, a := range o.Args {
		list[i] = a.Type
		if a.Unit != "" && !strings.HasSuffix(a.Type, "]") {
			list[i] += " in " + a.Unit
		}
	}
	return "the arguments " + strings.Join(list, ", ")
}

// misshownIn lists what is wrong with the tags of a system's blocks.
func misshownIn(st *admin.Structure) []string {
	var all []string
	for _, b := range st.Blocks {
		_, wrong := wordsOf(b, st.Types)
		all = append(all, wrong...)
	}
	return all
}
