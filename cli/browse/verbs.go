package browse

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/admin"
)

// verb is a command of the task browser.
type verb struct {
	name string
	args []argument
	doc  string
	run  func(b *browser, out io.Writer, args []string) error
}

// argument is an argument of a verb and its completion; nil: no completion.
type argument struct {
	name     string
	complete func(*browser) []string
}

func (v *verb) usage() string {
	text := v.name
	for _, a := range v.args {
		text += " " + a.name
	}
	return text
}

// verbs are the commands, in the order of the help.
var verbs = []verb{
	{"ls", []argument{{"[BLOCK or GROUP]", groupsAndBlocks}}, "list the blocks; or the ports, parameters and operations of one, or the ports and blocks of a group, with values", (*browser).ls},
	{"links", []argument{{"[BLOCK]", blockNames}}, "list links with their policy, and the peers whose operations blocks call", (*browser).links},
	{"threads", nil, "show the threads and their timing", (*browser).threads},
	{"processes", nil, "list processes, hosts and versions", (*browser).processes},
	{"types", []argument{{"[TYPE]", typeNames}}, "show the definitions of the structs at ports", (*browser).types},
	{"events", []argument{{"[N]", nil}}, "list events and their originators", (*browser).showEvents},
	{"watch", []argument{{"PORT", portRefs}, {"[RATE]", nil}, {"[N]", nil}}, "show a signal, RATE values per second (10), N of them", (*browser).watch},
	{"unwatch", []argument{{"[PORT]", watchedRefs}}, "stop showing it; without a port: all", (*browser).unwatch},
	{"release", []argument{{"PORT", handRefs}}, "end the override of an input or output", (*browser).release},
	{"hand", nil, "list overridden ports and disabled blocks", (*browser).hand},
	{"disable", []argument{{"BLOCK or GROUP", groupsAndBlocks}}, "stop executing the block, or all of the group; outputs stay", (*browser).disable},
	{"enable", []argument{{"BLOCK or GROUP", groupsAndBlocks}}, "execute it again", (*browser).enable},
	{"reset", []argument{{"BLOCK", faultyBlocks}}, "let a block in error run again", (*browser).reset},
	{"save", nil, "show how tuned parameters would change the files", (*browser).showSave},
	{"save!", nil, "write these changes", (*browser).save},
}

const scriptHelp = `pid1.kp                         read a parameter or port
pid1.kp = 12                    set a parameter, or override an input or output
joint1.act = {"n": 1}           send an event to a handler
generator.moveTo([1, 1], 10)    call an operation
log(…), wait(…), …              everything that scripts know
help, quit                      Tab completes`

func (b *browser) help() string {
	var out strings.Builder
	for _, v := range verbs {
		fmt.Fprintf(&out, "%-31s %s\n", v.usage(), v.doc)
	}
	return out.String() + scriptHelp
}

// complete returns the possible completions of the end of a line.
func (b *browser) complete(line string) []string {
	words := strings.Fields(line)
	if strings.HasSuffix(line, " ") || len(words) == 0 {
		words = append(words, "")
	}
	last := words[len(words)-1]
	if len(words) == 1 {
		list := b.prompt.Complete(line)
		for _, v := range verbs {
			if len(v.args) > 0 {
				list = append(list, v.name+" ")
			} else {
				list = append(list, v.name)
			}
		}
		return among(append(list, "help", "quit"), last)
	}
	for _, v := range verbs {
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

// among returns the words that start with prefix, each once. Names with dots are cut at the next dot.
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

// refs returns the ports of blocks and groups that satisfy a condition.
func (b *browser) refs(s *admin.Structure, is func(admin.Port) bool) (refs []string) {
	for _, g := range s.Groups {
		for _, p := range g.Ports {
			if is(p) {
				refs = append(refs, g.Name+"."+p.Name)
			}
		}
	}
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

// handRefs queries the system again: other tools override values as well.
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
