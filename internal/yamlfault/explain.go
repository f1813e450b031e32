package yamlfault

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Fault is one mistake in a text.
type Fault struct {
	Line, Column int // counted from 1; columns count characters
	Message      string
}

// Explain returns why text is not YAML; err is the parser's error.
func Explain(text []byte, err error) Fault {
	if f := unreadable(text); f != nil {
		return *f
	}
	if f := scan(string(text)); f != nil {
		return *f
	}
	return parsers(err)
}

// Second returns the place where a second document begins in a text that is YAML, nil where there is none. Parsers of one document
// ignore it without a word.
func Second(text []byte) *Fault {
	if !strings.Contains(string(text), "---") {
		return nil
	}
	content, number := false, 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimRight(line, " \t\r\n")
		switch marks := line == "---" || strings.HasPrefix(line, "--- "); {
		case marks && content:
			return &Fault{number, 1, "a second document begins here with ---: a file holds one; remove this line or what follows"}
		case !marks && line != "" && !strings.HasPrefix(strings.TrimSpace(line), "#") && !strings.HasPrefix(line, "%"):
			content = true
		}
	}
	return nil
}

// unreadable finds bytes that are no text.
func unreadable(text []byte) *Fault {
	line, column := 1, 1
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return &Fault{line, column, fmt.Sprintf("the byte 0x%02x is not UTF-8 text: save the file as UTF-8", text[i])}
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r == 0x7f:
			return &Fault{line, column, fmt.Sprintf("the control character U+%04X is not allowed: remove it", r)}
		}
		if column++; r == '\n' {
			line, column = line+1, 1
		}
		i += size
	}
	return nil
}

// place finds the line in the parser's own messages.
var place = regexp.MustCompile(`line (\d+)(?:,? column (\d+))?:? *`)

// parsers returns the parser's words and place.
func parsers(err error) Fault {
	f := Fault{1, 1, strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "go-yaml ")}
	if m := place.FindStringSubmatch(f.Message); m != nil {
		f.Line, _ = strconv.Atoi(m[1])
		f.Message = strings.Replace(f.Message, m[0], "", 1)
	}
	var load *yaml.LoadError
	if errors.As(err, &load) {
		f.Message = load.Message
		if load.Mark.Line > 0 {
			f.Line, f.Column = load.Mark.Line, max(load.Mark.Column, 1)
		}
	}
	return f
}
