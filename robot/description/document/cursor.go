package document

import (
	"bytes"
	"unicode/utf8"
)

// cursor turns byte offsets into lines and columns, from the front to the
// back of a document in one pass.
type cursor struct {
	file         string
	offset       int
	line, column int
}

// at moves forward to offset and returns the position there.
func (c *cursor) at(data []byte, offset int) Position {
	for c.offset < offset && c.offset < len(data) {
		r, size := utf8.DecodeRune(data[c.offset:])
		c.offset += size
		if r == '\n' {
			c.line, c.column = c.line+1, 1
		} else {
			c.column++
		}
	}
	return Position{File: c.file, Line: c.line, Column: c.column}
}

// tagScanner finds the attribute values in the text of one start tag that the
// decoder has already found well-formed.
type tagScanner struct {
	tag    []byte
	offset int
}

// skipName moves past "<name".
func (s *tagScanner) skipName() {
	for s.offset < len(s.tag) && !isSpace(s.tag[s.offset]) {
		s.offset++
	}
}

// nextValue returns the offset at which the value of the next attribute
// begins, behind its quotation mark.
func (s *tagScanner) nextValue() int {
	for s.offset < len(s.tag) && s.tag[s.offset] != '"' && s.tag[s.offset] != '\'' {
		s.offset++
	}
	if s.offset >= len(s.tag) {
		return s.offset
	}
	quote := s.tag[s.offset]
	s.offset++
	value := s.offset
	for s.offset < len(s.tag) && s.tag[s.offset] != quote {
		s.offset++
	}
	s.offset++
	return value
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// blankComments returns the document with spaces in place of its comments. The decoder is strict about them, but
// people rule lines with hyphens and sign in other encodings, and every other reader of robots lets them.
func blankComments(data []byte) []byte {
	data = bytes.Clone(data)
	for i := 0; i < len(data); {
		start := bytes.Index(data[i:], []byte("<!"))
		if start < 0 {
			break
		}
		i += start
		rest := data[i:]
		if bytes.HasPrefix(rest, []byte("<![CDATA[")) {
			end := bytes.Index(rest, []byte("]]>"))
			if end < 0 {
				break
			}
			i += end
			continue
		}
		if !bytes.HasPrefix(rest, []byte("<!--")) {
			i += len("<!")
			continue
		}
		end := bytes.Index(rest[len("<!--"):], []byte("-->"))
		if end < 0 {
			break // the decoder will report that it never ends
		}
		end += len("<!---->")
		blank(rest[:end])
		i += end
	}
	return data
}

// blank overwrites a text with spaces but keeps its lines.
func blank(text []byte) {
	for i := range text {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}
