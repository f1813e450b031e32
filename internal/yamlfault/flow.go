package yamlfault

import "strings"

// item is what has come of an item between brackets, over any number of lines.
type item struct {
	key   bool // a colon
	empty bool // nothing since the colon, the comma or the bracket
	first bool // not even a colon
	whole bool // a value in quotes or brackets that has ended
	text  bool // that value stands behind text, as in wave.out[0]
}

// begun is the item behind a bracket or comma.
var begun = item{empty: true, first: true}

// flow reads line k from byte i on inside brackets or quotes, or where they open.
func (s *scanner) flow(k, i int) *Fault {
	text := strings.TrimRight(s.lines[k], "\r")
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case s.quote.what != 0:
			i = s.quoted(text, i)
		case c == ' ' || c == '\t':
		case c == '#' && (i == 0 || text[i-1] == ' ' || text[i-1] == '\t'):
			return nil
		case len(s.open) == 0 && !strings.ContainsRune("{[\"'", rune(c)):
			return s.behind(k, i, c)
		default:
			if fault := s.character(k, i, text); fault != nil {
				return fault
			}
		}
	}
	return nil
}

// quoted reads byte i of a text in quotes and returns the last byte that belongs to it.
func (s *scanner) quoted(text string, i int) int {
	switch c := text[i]; {
	case c == '\\' && s.quote.what == '"', c == '\'' && s.quote.what == '\'' && strings.HasPrefix(text[i+1:], "'"):
		return i + 1
	case c == s.quote.what:
		s.quote.what = 0
		s.ended()
	}
	return i
}

// ended notes that a value in quotes or brackets has ended.
func (s *scanner) ended() {
	if n := len(s.open); n > 0 {
		it := &s.open[n-1].item
		it.empty, it.first, it.whole = false, false, true
	}
}

// character reads byte i outside quotes, which is no space and belongs to an item or opens a bracket or quote.
func (s *scanner) character(k, i int, text string) *Fault {
	c, outside, it := text[i], len(s.open) == 0, &item{}
	if !outside {
		it = &s.open[len(s.open)-1].item
	}
	indent := len(text) - len(strings.TrimLeft(text, " "))
	switch {
	case c == '}' || c == ']':
		last := s.open[len(s.open)-1]
		if last.what == '{' != (c == '}') {
			return s.at(k, i, "this %c closes the %c of line %d, column %d: wants %c", c, last.what, last.line+1, last.column+1, closing(last.what))
		}
		s.open = s.open[:len(s.open)-1]
		s.ended()
	case c == ',':
		if it.first {
			return s.at(k, i, "nothing stands before this comma: remove it")
		}
		*it = begun
	case c == ':' && (it.whole && !it.key || i+1 == len(text) || strings.ContainsRune(" \t,]}", rune(text[i+1]))):
		if it.key && s.open[len(s.open)-1].what == '{' {
			return s.at(k, wordBefore(text, i), "a comma is missing before this key")
		}
		*it = item{key: true, empty: true}
	case it.whole && it.text:
		return s.at(k, i, "in a list in brackets a text with brackets stands in quotes, as \"wave.out[0] -> gain.in\"")
	case it.whole:
		return s.at(k, i, "a comma is missing before this")
	case c == '{' || c == '[':
		it.text = c == '[' && !outside && !it.empty
		s.open = append(s.open, bracket{c, k, i, indent, begun})
	case (c == '"' || c == '\'') && (it.empty || outside):
		s.quote = bracket{what: c, line: k, column: i, indent: indent}
	case it.empty && reserved.MatchString(text[i:]):
		word := text[i:]
		if end := strings.IndexAny(word, ",]} "); end >= 0 {
			word = word[:end]
		}
		return s.at(k, i, "a text cannot begin with %c: put it in quotes, as \"%s\"", c, word)
	default:
		it.empty, it.first = false, false
	}
	return nil
}

// behind explains what stands behind a closed bracket or quote.
func (s *scanner) behind(k, i int, c byte) *Fault {
	switch c {
	case '}', ']':
		return s.at(k, i, "this %c closes nothing: there is one too many", c)
	case ':':
		s.ends(strings.TrimSpace(s.lines[k][i+1:]) != "")
		return nil // what was in quotes is a key
	}
	return s.at(k, i, "the value ends before this: remove it, or put the whole value in quotes")
}

func closing(open byte) byte {
	if open == '{' {
		return '}'
	}
	return ']'
}

// wordBefore returns where the word begins that ends before byte i.
func wordBefore(text string, i int) int {
	i = len(strings.TrimRight(text[:i], " "))
	return strings.LastIndexAny(text[:i], " ,{[") + 1
}
