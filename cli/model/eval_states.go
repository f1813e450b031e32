package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// stateFile is the input of `sinew model eval`.
type stateFile struct {
	Joints []jointName `json:"joints"`
	States *[]state    `json:"states"`
}

// state is one state of a robot: vectors in the order of the joints that the file lists.
type state struct {
	Q   vector `json:"q"`
	V   vector `json:"v"`
	A   vector `json:"a"`
	Tau vector `json:"tau"`
}

// jointName is the name of a joint, written as a string or as an object with a name, which is how results list
// joints.
type jointName string

// UnmarshalJSON parses "name" or {"name": "name", …}.
func (n *jointName) UnmarshalJSON(text []byte) error {
	var object struct {
		Name *string `json:"name"`
	}
	object.Name = (*string)(n)
	target := any((*string)(n))
	if bytes.HasPrefix(text, []byte("{")) {
		target = &object
	}
	if json.Unmarshal(text, target) != nil || *n == "" {
		return fmt.Errorf("joints: %s is not the name of a joint", excerpt(text))
	}
	return nil
}

// vector is a list of numbers that records entries that are not numbers, for error messages with positions.
type vector struct {
	given  bool
	values []float64
	wrong  []string // entries that are not finite numbers: "[2] is NaN"
}

// UnmarshalJSON parses a list of numbers; check reports its errors.
func (v *vector) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	v.given = true
	var items []json.RawMessage
	if err := json.Unmarshal(text, &items); err != nil {
		v.wrong = []string{" is " + excerpt(text) + ", wants a list of numbers"}
		return nil
	}
	v.values = make([]float64, len(items))
	for i, item := range items {
		x, err := strconv.ParseFloat(string(item), 64)
		if err != nil {
			v.wrong = append(v.wrong, fmt.Sprintf("[%d] is %s, wants a finite number", i, excerpt(item)))
		}
		v.values[i] = x
	}
	return nil
}

// excerpt shortens a piece of JSON for a message.
func excerpt(text []byte) string {
	if len(text) > 20 {
		return string(text[:20]) + "…"
	}
	return strings.Trim(string(text), `"`)
}

const stateFormat = `{"joints": [names], "states": [{"q": […], "v": […], "a": […], "tau": […]}]}`

// readStates reads a file of states, "-" for the standard input.
func readStates(path string, stdin io.Reader) (*stateFile, error) {
	name, text, err := "standard input", []byte(nil), error(nil)
	if path == "-" {
		text, err = io.ReadAll(stdin)
	} else {
		name = path
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read states: %w", err)
	}
	return parseStates(name, text)
}

// parseStates reads the text of a file of states; name is for messages.
func parseStates(name string, text []byte) (*stateFile, error) {
	text = quoteNonFinite(bytes.TrimPrefix(text, []byte("\ufeff")))
	file := new(stateFile)
	if err := json.Unmarshal(text, file); err != nil {
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			return nil, fmt.Errorf("%s:%s: not JSON: %w", name, lineColumn(text, syntax.Offset), err)
		case errors.As(err, &kind):
			return nil, fmt.Errorf("%s:%s: found %s where %s is expected: wants %s", name, lineColumn(text, kind.Offset), kind.Value, cmp.Or(kind.Field, "an object"), stateFormat)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if file.States == nil {
		return nil, fmt.Errorf("%s: has no \"states\": wants %s", name, stateFormat)
	}
	return file, nil
}

// lineColumn returns the position of a byte; line and column count from 1.
func lineColumn(text []byte, offset int64) string {
	before := text[:min(max(offset-1, 0), int64(len(text)))]
	line := bytes.Count(before, []byte("\n")) + 1
	return fmt.Sprintf("%d:%d", line, len(before)-bytes.LastIndexByte(before, '\n'))
}

// quoteNonFinite puts quotes around NaN and Infinity, which are not JSON but are written by many programs, so that
// the error message can name the state and the field.
func quoteNonFinite(text []byte) []byte {
	if !bytes.Contains(text, []byte("NaN")) && !bytes.Contains(text, []byte("Infinity")) {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	inString := false
	for i := 0; i < len(text); {
		rest := text[i:]
		if inString {
			n := 1
			if rest[0] == '\\' {
				n = min(2, len(rest))
			}
			inString = rest[0] != '"'
			out, i = append(out, rest[:n]...), i+n
			continue
		}
		n := 0
		for _, word := range []string{"NaN", "Infinity", "-Infinity", "+Infinity"} {
			if bytes.HasPrefix(rest, []byte(word)) {
				n = len(word)
			}
		}
		if n > 0 {
			out = append(append(append(out, '"'), rest[:n]...), '"')
			i += n
			continue
		}
		inString = rest[0] == '"'
		out, i = append(out, rest[0]), i+1
	}
	return out
}
