package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
)

// decode reads a JSON object into the struct that arguments points to. No data leave it as it is. Unknown members, values of
// other types and anything after the object are errors.
func decode(data []byte, arguments any) error {
	if len(data) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(arguments)
	var syntax *json.SyntaxError
	var other *json.UnmarshalTypeError
	switch {
	case err == nil && len(bytes.TrimSpace(data[d.InputOffset():])) == 0:
		return nil
	case err == nil:
		return fmt.Errorf("there is something after the request's JSON object, at byte %d", d.InputOffset())
	case errors.As(err, &syntax):
		return fmt.Errorf("the request is no JSON object: byte %d: %w", syntax.Offset, err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the request is no JSON object: it ends after %d bytes", len(data))
	case errors.As(err, &other) && other.Field == "":
		return fmt.Errorf("the request is no JSON object but: %s", other.Value)
	case errors.As(err, &other):
		return fmt.Errorf("member %q: wants %v, not %s", other.Field, other.Type, other.Value)
	}
	if name, ok := strings.CutPrefix(err.Error(), `json: unknown field "`); ok {
		name = strings.TrimSuffix(name, `"`)
		return fmt.Errorf("no member %q%s", name, nearest.Hint(name, members(reflect.TypeOf(arguments).Elem())))
	}
	return fmt.Errorf("the request cannot be read: %w", err)
}

// members returns the names that the fields of a struct have in JSON.
func members(t reflect.Type) (names []string) {
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Encode makes JSON of a result or of arguments. NaN and infinities, for which JSON has no numbers, become "NaN", "+Inf" and "-Inf".
func Encode(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	var unsupported *json.UnsupportedValueError
	if errors.As(err, &unsupported) {
		return json.Marshal(admin.Finite(v))
	}
	return b, err
}
