package nats

import (
	"encoding/json"
	"math"
	"strconv"
)

// scanner reads JSON without spaces into values as those of package encoding/json, but ten times as quickly: numbers
// become float64, also "NaN", "+Inf" and "-Inf". After a failure it stands still and reads zeros.
type scanner struct {
	text   []byte
	at     int
	depth  int
	failed bool
}

// deepest is how deep lists and objects may lie in each other.
const deepest = 64

// next returns the next byte, 0 at the end.
func (s *scanner) next() byte {
	if s.failed || s.at >= len(s.text) {
		return 0
	}
	return s.text[s.at]
}

func (s *scanner) fail() { s.failed = true }

// want passes over what must come.
func (s *scanner) want(text string) {
	if s.failed || len(s.text)-s.at < len(text) || string(s.text[s.at:s.at+len(text)]) != text {
		s.fail()
		return
	}
	s.at += len(text)
}

// integer reads a whole number that an int64 holds.
func (s *scanner) integer() int64 {
	begin := s.at
	if s.next() == '-' {
		s.at++
	}
	for c := s.next(); c >= '0' && c <= '9'; c = s.next() {
		s.at++
	}
	n, err := strconv.ParseInt(string(s.text[begin:s.at]), 10, 64)
	if err != nil {
		s.fail()
	}
	return n
}

// value reads any value.
func (s *scanner) value() any {
	switch c := s.next(); {
	case c == '"':
		switch text := s.string(); text {
		case "NaN":
			return math.NaN()
		case "+Inf":
			return math.Inf(1)
		case "-Inf":
			return math.Inf(-1)
		default:
			return text
		}
	case c == '-' || c >= '0' && c <= '9':
		return s.number()
	case c == '[':
		return s.list()
	case c == '{':
		return s.object()
	case c == 't':
		s.want("true")
		return true
	case c == 'f':
		s.want("false")
		return false
	}
	s.want("null")
	return nil
}

func (s *scanner) number() float64 {
	begin := s.at
	for c := s.next(); c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'; c = s.next() {
		s.at++
	}
	x, err := strconv.ParseFloat(string(s.text[begin:s.at]), 64)
	if err != nil {
		s.fail()
	}
	return x
}

// string reads a text; most are plain ASCII.
func (s *scanner) string() (text string) {
	begin, plain := s.at, true
	for s.at++; s.next() != '"' && s.next() != 0; s.at++ {
		if c := s.next(); c == '\\' {
			s.at++
			plain = false
		} else if c < ' ' || c >= 0x80 {
			plain = false
		}
	}
	s.want(`"`)
	switch {
	case s.failed:
	case plain:
		text = string(s.text[begin+1 : s.at-1])
	case json.Unmarshal(s.text[begin:s.at], &text) != nil:
		s.fail()
	}
	return text
}

func (s *scanner) list() []any {
	list := []any{}
	s.each(']', func() { list = append(list, s.value()) })
	return list
}

func (s *scanner) object() map[string]any {
	m := map[string]any{}
	s.each('}', func() {
		if s.next() != '"' {
			s.fail()
			return
		}
		key := s.string()
		s.want(":")
		m[key] = s.value()
	})
	return m
}

// each passes over an opening bracket, reads what stands between commas, and passes over the closing bracket.
func (s *scanner) each(end byte, read func()) {
	s.at++
	if s.depth++; s.depth > deepest {
		s.fail()
	}
	defer func() { s.depth-- }()
	for first := true; s.next() != end && !s.failed; first = false {
		if !first {
			s.want(",")
		}
		read()
	}
	s.want(string(end))
}
