package xacro

import (
	"errors"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sinew-robotics/sinew/robot/description/document"
)

// text evaluates the ${expressions} and $(substitutions) of a text. A text that is one expression and nothing else
// yields its value as it is, any other one a string. Whatever is wrong goes to the report and leaves "".
func (x *expander) text(s string, at document.Position, in *scope) value {
	if !strings.Contains(s, "$") {
		return s
	}
	if x.deeper(at) {
		defer x.shallower()
	} else {
		return ""
	}
	if x.visited += len(s) / 64; !x.visit(at) { // searching a long text is work
		return ""
	}
	var parts []value
	for i := 0; i < len(s); {
		part, end := x.part(s, i, at, in)
		if part != nil || end < len(s) || i > 0 {
			parts = append(parts, part)
		} else {
			return part
		}
		i = end
	}
	if len(parts) == 1 {
		return parts[0]
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(format(p))
		if b.Len() > len(s)+maxString {
			x.Addf(at, "the text grows beyond %d KiB", maxString>>10)
			return ""
		}
	}
	x.visited += b.Len() / 16 // copying a text is work, too
	return b.String()
}

// part evaluates the piece of text that begins at s[i] and returns where it ends.
func (x *expander) part(s string, i int, at document.Position, in *scope) (value, int) {
	rest := s[i:]
	switch {
	case strings.HasPrefix(rest, "$${"), strings.HasPrefix(rest, "$$("):
		return rest[1:3], i + 3
	case strings.HasPrefix(rest, "${"), strings.HasPrefix(rest, "$("):
		end := closing(rest)
		if end < 0 {
			x.Addf(at, "%q is never closed", document.Clip(rest))
			return "", len(s)
		}
		inside := shift(at, s[:i+2])
		body := rest[2:end]
		if rest[1] == '{' {
			return x.expression(body, inside, in), i + end + 1
		}
		return x.substitution(body, inside, in), i + end + 1
	}
	end := strings.Index(rest[1:], "$")
	if end < 0 {
		return rest, len(s)
	}
	return rest[:end+1], i + end + 1
}

// closing returns the index of the bracket that closes the one at s[1], -1 when there is none. Strings in
// expressions may hold brackets.
func closing(s string) int {
	open, shut := s[1], byte('}')
	if open == '(' {
		shut = ')'
	}
	depth := 0
	var quote byte
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case open == '{' && (c == '\'' || c == '"'):
			quote = c
		case c == open:
			depth++
		case c == shut:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// shift moves a position past a text. Entities in the file make it an approximation.
func shift(at document.Position, text string) document.Position {
	if n := strings.Count(text, "\n"); n > 0 {
		at.Line += n
		at.Column = 1 + utf8.RuneCountInString(text[strings.LastIndex(text, "\n")+1:])
		return at
	}
	at.Column += utf8.RuneCountInString(text)
	return at
}

// expression evaluates what stands between ${ and }.
func (x *expander) expression(body string, at document.Position, in *scope) value {
	if strings.Contains(body, "$(") || strings.Contains(body, "${") {
		body = format(x.text(body, at, in))
	}
	x.visited += len(body) / 8
	if !x.visit(at) {
		return ""
	}
	e, err := compileExpr(body)
	var v value
	if err == nil {
		v, err = e(evaluation{x, in, at})
	}
	if err == nil {
		return v
	}
	var wrong *exprError
	switch {
	case errors.As(err, &wrong):
		x.Addf(shift(at, body[:min(wrong.offset, len(body))]), "in ${%s}: %s", document.Clip(body), wrong.message)
	case !errors.Is(err, errReported):
		x.Addf(at, "in ${%s}: %v", document.Clip(body), err)
	}
	return ""
}

// substitution evaluates what stands between $( and ).
func (x *expander) substitution(body string, at document.Position, in *scope) value {
	if strings.Contains(body, "$") {
		body = format(x.text(body, at, in))
	}
	command, rest, _ := strings.Cut(strings.TrimSpace(body), " ")
	rest = strings.TrimSpace(rest)
	switch command {
	case "arg":
		v, ok := x.argument(rest)
		if !ok {
			x.Addf(at, "argument %q has no value: give one, or <xacro:arg name=%q default=\"…\"/> above%s", rest, rest, x.DidYouMean(rest, x.argumentNames()))
		}
		return v
	case "find":
		return "package://" + rest
	case "eval":
		return x.expression(rest, at, in)
	case "dirname":
		if x.source.base != "" {
			return x.source.base + "/" + path.Dir(x.source.resources.Path)
		}
		return "/" + path.Dir(x.source.resources.Path)
	case "anon":
		return rest
	case "optenv":
		_, fallback, _ := strings.Cut(rest, " ")
		return strings.TrimSpace(fallback)
	case "env":
		x.Addf(at, "$(env %s): a description does not read the environment; use $(arg %s)", rest, strings.ToLower(rest))
		return ""
	}
	x.Addf(at, "$(%s) is no substitution%s", document.Clip(body), x.DidYouMean(command, slices.Values([]string{"arg", "find", "eval", "dirname", "optenv", "anon"})))
	return ""
}
