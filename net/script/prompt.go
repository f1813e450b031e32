package script

import (
	"io"
	"sort"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Prompt lets an operator drive a system line by line.
type Prompt struct{ s *session }

// NewPrompt opens a prompt on a system. Log output of lines goes to out. Close it when it is no longer needed.
func NewPrompt(system System, out io.Writer) (*Prompt, error) {
	s, err := newSession(system, out)
	if err != nil {
		return nil, err
	}
	s.open()
	return &Prompt{s}, nil
}

// Close closes the prompt.
func (p *Prompt) Close() { p.s.close() }

// Eval executes one line: an expression, whose value it returns as text, or a statement. The error names mistakes in the line.
func (p *Prompt) Eval(line string) (string, error) {
	p.s.thread.Uncancel()
	p.s.allow()
	if expr, err := options.ParseExpr("prompt", line, 0); err == nil {
		v, err := starlark.EvalExprOptions(&options, p.s.thread, expr, p.s.globals)
		if err != nil {
			return "", tidy(err, p.s.globals.Keys())
		}
		if v == starlark.None {
			return "", nil
		}
		return v.String(), nil
	}
	file, err := options.Parse("prompt", line, syntax.RetainComments)
	if err != nil {
		return "", tidy(err, p.s.globals.Keys())
	}
	if err := starlark.ExecREPLChunk(file, p.s.thread, p.s.globals); err != nil {
		return "", tidy(err, p.s.globals.Keys())
	}
	return "", nil
}

// Complete returns the possible completions of the last word of a line: names of blocks and functions, or members of
// a block.
func (p *Prompt) Complete(line string) []string {
	word := line[strings.LastIndexFunc(line, func(r rune) bool { return strings.ContainsRune(" ()[]=,+-*/<>!", r) })+1:]
	dot := strings.LastIndexByte(word, '.')
	prefix, names := "", p.s.globals.Keys()
	if dot >= 0 {
		prefix = word[:dot+1]
		names = nil
		var v starlark.Value = &group{members: p.s.globals}
		for part := range strings.SplitSeq(word[:dot], ".") {
			g, ok := v.(*group)
			if !ok {
				return nil
			}
			v = g.members[part]
		}
		if holder, ok := v.(starlark.HasAttrs); ok {
			names = holder.AttrNames()
		}
	}
	var list []string
	for _, name := range names {
		if strings.HasPrefix(name, word[len(prefix):]) {
			list = append(list, prefix+name)
		}
	}
	sort.Strings(list)
	return list
}
