package yamlfault

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Read reads a text into a value, as yaml.Unmarshal does. Its error lists everything that is wrong in plain words, each behind
// file:line:column, or line and column where file is "": the first mistake of a text that is not YAML, or all values of wrong types.
func Read(file string, text []byte, into any) error {
	err := yaml.Unmarshal(text, into)
	if err == nil {
		return nil
	}
	var typed *yaml.LoadErrors
	if !errors.As(err, &typed) || len(typed.Errors) == 0 {
		f := Explain(text, err)
		return fmt.Errorf("%s: not YAML: %s", f.at(file), f.Message)
	}
	var all []error
	for _, e := range typed.Errors {
		f := parsers(e)
		all = append(all, fmt.Errorf("%s: %s", f.at(file), wants(f.Message)))
	}
	return errors.Join(all...)
}

// at returns the place of the fault in a file.
func (f Fault) at(file string) string {
	if file == "" {
		return fmt.Sprintf("line %d, column %d", f.Line, f.Column)
	}
	return fmt.Sprintf("%s:%d:%d", file, f.Line, f.Column)
}

// mistyped takes the parser's words for a value of the wrong type apart: what it is, its text, and the type that takes it.
var mistyped = regexp.MustCompile("(?s)^cannot construct (!!\\w+)(?: `(.*)`)? into (.+)$")

// tagWords are the kinds of values as people call them.
var tagWords = map[string]string{
	"!!str": "a text", "!!int": "a number", "!!float": "a number", "!!bool": "true or false", "!!null": "nothing", "!!seq": "a list", "!!map": "a mapping",
}

// wants returns the parser's words for a value of the wrong type in plain ones, and other words as they are.
func wants(message string) string {
	m := mistyped.FindStringSubmatch(message)
	if m == nil || tagWords[m[1]] == "" {
		return message
	}
	got := tagWords[m[1]]
	if m[2] != "" {
		got = fmt.Sprintf("%q", m[2])
	}
	return fmt.Sprintf("wants %s, got %s", typeWord(m[3]), got)
}

// typeWord describes the values that a Go type takes.
func typeWord(of string) string {
	of = strings.TrimLeft(of, "*")
	switch {
	case strings.HasPrefix(of, "["):
		return "a list"
	case strings.HasPrefix(of, "float"), strings.HasPrefix(of, "int"), strings.HasPrefix(of, "uint"):
		return "a number"
	case of == "bool":
		return "true or false"
	case of == "string":
		return "a text"
	}
	return "a mapping, as key: value"
}
