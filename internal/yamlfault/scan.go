package yamlfault

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// scanner reads a text line by line as YAML's block and flow styles, up to the first mistake.
type scanner struct {
	lines   []string
	open    []bracket // that are not closed
	levels  []level   // of block style, the outermost first
	quote   bracket   // the quote that is open; 0: none
	literal int       // lines indented deeper than this are a text after | or >; -1: none
	plain   int       // lines indented deeper than this may go on with a plain value; -1: none
}

// bracket is an opening bracket, brace or quote.
type bracket struct {
	what         byte
	line, column int
	indent       int // of its line
	item         item
}

// level is an indentation of block style.
type level struct {
	indent, line int
	list         bool
	ends         bool // its last entry has a value in its line
}

// scan returns the first mistake of a text that is known to be no YAML; nil where it finds none.
func scan(text string) *Fault {
	s := &scanner{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n"), literal: -1, plain: -1}
	for k := range s.lines {
		if f := s.line(k); f != nil {
			return f
		}
	}
	if s.quote.what != 0 {
		return s.unclosed(s.quote)
	}
	if len(s.open) > 0 {
		return s.unclosed(s.open[len(s.open)-1])
	}
	return nil
}

// at returns a mistake at byte i of line k.
func (s *scanner) at(k, i int, format string, args ...any) *Fault {
	return &Fault{k + 1, utf8.RuneCountInString(s.lines[k][:min(i, len(s.lines[k]))]) + 1, fmt.Sprintf(format, args...)}
}

func (s *scanner) unclosed(b bracket) *Fault {
	what := fmt.Sprintf("the %c that opens here is not closed", b.what)
	if b.what == '"' || b.what == '\'' {
		what = fmt.Sprintf("the text that begins here with %c has no closing %c", b.what, b.what)
	}
	return s.at(b.line, b.column, "%s", what)
}

var (
	keyed    = regexp.MustCompile(`^("[^"]*"|'[^']*'|[^\s#"'\[\]{},&*!|>%@` + "`" + `-][^#]*?|-[^\s#][^#]*?)\s*:(\s|$)`)
	glued    = regexp.MustCompile(`^([A-Za-z_][\w.-]*):[^\s/]`)
	reserved = regexp.MustCompile("^[@`%*&]")
)

// line reads line k.
func (s *scanner) line(k int) *Fault {
	text := strings.TrimRight(s.lines[k], "\r")
	indent := len(text) - len(strings.TrimLeft(text, " "))
	rest := text[indent:]
	switch {
	case s.quote.what != 0:
		if keyed.MatchString(strings.TrimSpace(rest)) {
			return s.unclosed(s.quote)
		}
		return s.flow(k, 0)
	case strings.TrimSpace(rest) == "" || rest[0] == '#' && s.literal < 0:
		return nil
	case s.literal >= 0 && indent > s.literal:
		return nil
	}
	s.literal = -1
	if len(s.open) > 0 {
		outer := s.open[0]
		left := indent < outer.indent || indent == outer.indent && outer.column > outer.indent
		if left && keyed.MatchString(rest) {
			return s.unclosed(s.open[len(s.open)-1])
		}
		return s.flow(k, indent)
	}
	if tab := len(rest) - len(strings.TrimLeft(rest, " \t")); tab > 0 {
		return s.at(k, indent, "a tab indents this line: YAML is indented with spaces")
	}
	if text == "---" || text == "..." || strings.HasPrefix(text, "--- ") || strings.HasPrefix(text, "%") && k == 0 {
		s.levels, s.plain = nil, -1
		return nil
	}
	return s.block(k, indent)
}

// block reads a line of block style from byte at on.
func (s *scanner) block(k, at int) *Fault {
	rest := strings.TrimRight(s.lines[k][at:], "\r")
	if s.plain >= 0 && at > s.plain && !strings.HasPrefix(rest, "- ") && !keyed.MatchString(rest) {
		return nil // it goes on with the value of the line above
	}
	list := rest == "-" || strings.HasPrefix(rest, "- ") || strings.HasPrefix(rest, "-\t")
	key := keyed.FindStringSubmatch(rest)
	above := len(s.levels)
	if f := s.level(k, at, list, key != nil); f != nil {
		return f
	}
	deeper := len(s.levels) > above // the line begins the value of the one above
	switch {
	case list:
		item := strings.TrimLeft(rest[1:], " \t")
		s.ends(strings.TrimSpace(item) != "" && item[0] != '#')
		if item == "" || item[0] == '#' {
			return nil
		}
		inner := at + len(rest) - len(item)
		if item[0] == '-' && (len(item) == 1 || item[1] == ' ') || keyed.MatchString(item) {
			s.ends(false)
			return s.block(k, inner)
		}
		return s.value(k, inner, at)
	case key == nil && (rest[0] == '"' || rest[0] == '\'' || deeper && (rest[0] == '{' || rest[0] == '[')):
		return s.flow(k, at)
	case key == nil && len(s.levels) > 0 && !s.levels[len(s.levels)-1].list || key == nil && glued.MatchString(rest):
		return s.withoutKey(k, at, rest)
	case key == nil:
		return s.value(k, at, at)
	}
	from := at + len(key[0])
	from += len(s.lines[k][from:]) - len(strings.TrimLeft(s.lines[k][from:], " \t"))
	value := strings.TrimRight(s.lines[k][from:], "\r")
	s.ends(value != "" && value[0] != '#')
	if value == "" || value[0] == '#' {
		s.plain = -1
		return nil
	}
	return s.value(k, from, at)
}

// withoutKey explains a line among keys that has none.
func (s *scanner) withoutKey(k, at int, rest string) *Fault {
	switch m := glued.FindStringSubmatch(rest); {
	case m != nil:
		return s.at(k, at+len(m[1])+1, "a space is missing after the colon: write \"%s: %s\"", m[1], rest[len(m[1])+1:])
	case rest[0] == '-':
		return s.at(k, at+1, "a space is missing after the dash of a list: write \"- %s\"", rest[1:])
	case strings.ContainsRune("]}", rune(rest[0])):
		return s.at(k, at, "this %c closes nothing", rest[0])
	case reserved.MatchString(rest):
		return s.at(k, at, "a text cannot begin with %c: put it in quotes", rest[0])
	}
	word, _, _ := strings.Cut(rest, " ")
	return s.at(k, at, "this line has no colon: wants \"key: value\", as \"%s: …\"", word)
}

// ends notes whether the last entry of the innermost level has a value in its line.
func (s *scanner) ends(value bool) {
	if n := len(s.levels); n > 0 {
		s.levels[n-1].ends = value
	}
}

// level finds the indentation of an entry among those of the lines above.
func (s *scanner) level(k, at int, list, key bool) *Fault {
	n := len(s.levels)
	switch {
	case n == 0 || at > s.levels[n-1].indent:
		if n > 0 && s.levels[n-1].ends && (key || list) && s.levels[n-1].line != k {
			return s.at(k, at, "this line is indented deeper than line %d, which has a value already: begin both in the same column", s.levels[n-1].line+1)
		}
		s.levels = append(s.levels, level{indent: at, line: k, list: list})
		return nil
	}
	for n > 0 && s.levels[n-1].indent > at {
		n--
	}
	inner := s.levels[min(n, len(s.levels)-1)]
	s.levels = s.levels[:n]
	if n == 0 || s.levels[n-1].indent < at {
		if n > 0 {
			return s.at(k, at, "this line is indented by %s, but its neighbors by %d (line %d) or %d (line %d)", spaces(at),
				s.levels[n-1].indent, s.levels[n-1].line+1, inner.indent, inner.line+1)
		}
		return s.at(k, at, "this line is indented by %s, but line %d by %d: begin both in the same column", spaces(at), inner.line+1, inner.indent)
	}
	last := &s.levels[n-1]
	switch {
	case list && !last.list && !last.ends: // a list may begin in the column of its key
		s.levels = append(s.levels, level{indent: at, line: k, list: true})
		return nil
	case !list && last.list && n > 1 && s.levels[n-2].indent == at:
		s.levels = s.levels[:n-1]
		last = &s.levels[n-2]
	case list && !last.list:
		return s.at(k, at, "a list begins here among the keys of line %d: give it a key of its own", last.line+1)
	case !list && last.list && key:
		return s.at(k, at, "a key stands here among the items of the list of line %d: begin the line with \"- \", or indent it deeper", last.line+1)
	case !list && last.list && s.lines[k][at] == '-':
		return s.withoutKey(k, at, s.lines[k][at:])
	}
	last.line = k
	return nil
}

// value reads what stands behind a key or a dash, from byte from of line k on; at is where its entry begins.
func (s *scanner) value(k, from, at int) *Fault {
	value := strings.TrimRight(s.lines[k][from:], " \t\r")
	s.plain = -1
	switch {
	case value[0] == '|' || value[0] == '>':
		s.literal = at
		return nil
	case value[0] == '{' || value[0] == '[' || value[0] == '"' || value[0] == '\'':
		return s.flow(k, from)
	case reserved.MatchString(value):
		return s.at(k, from, "a text cannot begin with %c: put it in quotes, as \"%s\"", value[0], withoutComment(value))
	case value[0] == '}' || value[0] == ']':
		return s.at(k, from, "this %c closes nothing", value[0])
	}
	s.plain = at
	if i := strings.Index(withoutComment(value), ": "); i >= 0 {
		return s.at(k, from+i, "a second colon in one line: put the value in quotes, or begin a new line")
	}
	return nil
}

// withoutComment cuts what follows " #".
func withoutComment(value string) string {
	value, _, _ = strings.Cut(value, " #")
	return strings.TrimSpace(value)
}

func spaces(n int) string {
	if n == 1 {
		return "1 space"
	}
	return fmt.Sprintf("%d spaces", n)
}
