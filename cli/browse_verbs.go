package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/admin"
)

// browseVerb is a word of the task browser.
type browseVerb struct {
	name string
	args []browseArg
	doc  string
	run  func(b *browser, out io.Writer, args []string) error
}

// browseArg is what may stand behind a word, and what completes it; nil: nothing.
type browseArg struct {
	name     string
	complete func(*browser) []string
}

func (v *browseVerb) usage() string {
	text := v.name
	for _, a := range v.args {
		text += " " + a.name
	}
	return text
}

// browseVerbs are the words, in the order of the help.
var browseVerbs = []browseVerb{
	{"ls", []browseArg{{"[BLOCK or GROUP]", groupsAndBlocks}}, "the blocks; or ports, parameters and operations of one, with values", (*browser).ls},
	{"links", []browseArg{{"[BLOCK]", blockNames}}, "links with their policy", (*browser).links},
	{"threads", nil, "what the threads do", (*browser).threads},
	{"processes", nil, "processes, hosts and versions", (*browser).processes},
	{"types", []browseArg{{"[TYPE]", typeNames}}, "definitions of the structs at ports", (*browser).types},
	{"events", []browseArg{{"[N]", nil}}, "what has happened, and who did it", (*browser).showEvents},
	{"watch", []browseArg{{"PORT", portRefs}, {"[RATE]", nil}, {"[N]", nil}}, "show a signal, RATE values a second (10), N of them", (*browser).watch},
	{"unwatch", []browseArg{{"[PORT]", watchedRefs}}, "no longer; without a port: none", (*browser).unwatch},
	{"release", []browseArg{{"PORT", handRefs}}, "end what was given to an input or output by hand", (*browser).release},
	{"hand", nil, "what has values by hand, and what is disabled", (*browser).hand},
	{"disable", []browseArg{{"BLOCK", blockNames}}, "execute a block no longer: its outputs stay", (*browser).disable},
	{"enable", []browseArg{{"BLOCK", blockNames}}, "execute it again", (*browser).enable},
	{"reset", []browseArg{{"BLOCK", faultyBlocks}}, "let a block run again that is in error", (*browser).reset},
	{"save", nil, "show what tuned parameters change in the files", (*browser).showSave},
	{"save!", nil, "and write it", (*browser).save},
}

const browseScriptHelp = `pid1.kp                         read a parameter or port
pid1.kp = 12                    set a parameter, or give an input or output a value by hand
joint1.act = {"n": 1}           send an event to a handler
generator.moveTo([1, 1], 10)    call an operation
log(…), wait(…), …              everything that scripts know
help, quit                      Tab completes`

func (b *browser) help() string {
	var out strings.Builder
	for _, v := range browseVerbs {
		fmt.Fprintf(&out, "%-31s %s\n", v.usage(), v.doc)
	}
	return out.String() + browseScriptHelp
}

// complete returns what the end of a line may become.
func (b *browser) complete(line string) []string {
	words := strings.Fields(line)
	if strings.HasSuffix(line, " ") || len(words) == 0 {
		words = append(words, "")
	}
	last := words[len(words)-1]
	if len(words) == 1 {
		list := b.prompt.Complete(line)
		for _, v := range browseVerbs {
			if len(v.args) > 0 {
				list = append(list, v.name+" ")
			} else {
				list = append(list, v.name)
			}
		}
		return among(append(list, "help", "quit"), last)
	}
	for _, v := range browseVerbs {
		if v.name != words[0] || words[1] == "=" {
			continue
		}
		if n := len(words) - 2; n < len(v.args) && v.args[n].complete != nil {
			return among(v.args[n].complete(b), last)
		}
		return nil
	}
	return b.prompt.Complete(line)
}

// among returns the words that begin with prefix, each once. Of names with dots they are shown up to the next dot.
func among(list []string, prefix string) (found []string) {
	for _, word := range list {
		if !strings.HasPrefix(word, prefix) {
			continue
		}
		if dot := strings.IndexByte(word[len(prefix):], '.'); dot >= 0 {
			word = word[:len(prefix)+dot+1]
		}
		found = append(found, word)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func blockNames(b *browser) (names []string) {
	for _, e := range b.structure.Blocks {
		names = append(names, e.Name)
	}
	return names
}

func groupsAndBlocks(b *browser) []string {
	names := blockNames(b)
	for _, g := range b.structure.Groups {
		names = append(names, g.Name)
	}
	return names
}

func typeNames(b *browser) (names []string) {
	for name := range b.structure.Types {
		names = append(names, name)
	}
	return names
}

// refs returns the ports for which a condition holds.
func (b *browser) refs(s *admin.Structure, is func(admin.Port) bool) (refs []string) {
	for _, e := range s.Blocks {
		for _, p := range e.Ports {
			if is(p) {
				refs = append(refs, e.Name+"."+p.Name)
			}
		}
	}
	return refs
}

func portRefs(b *browser) []string {
	return b.refs(b.structure, func(admin.Port) bool { return true })
}

// handRefs asks anew: other tools give values by hand too.
func handRefs(b *browser) []string {
	s, err := b.client.Structure(b.ctx)
	if err != nil {
		return nil
	}
	return b.refs(s, func(p admin.Port) bool { return p.Hand })
}

func faultyBlocks(b *browser) (names []string) {
	s, err := b.client.Structure(b.ctx)
	if err != nil {
		return nil
	}
	for _, e := range s.Blocks {
		if e.State == admin.StateError {
			names = append(names, e.Name)
		}
	}
	return names
}

func watchedRefs(b *browser) []string { return b.watched.refs() }
