package admin

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/schema"
)

// RawValue is the value of a port whose values have lengths of their own: an image, a scan. It stays the bytes that it is in the
// system, also in JSON, where they are one string in base64 and never numbers.
type RawValue struct {
	Type     string `json:"type"`          // of the value, a message of ROS 2
	Schema   string `json:"schema"`        // its definition
	Elements int    `json:"elements"`      // in the value
	CDR      []byte `json:"cdr,omitempty"` // the value; nil where there are more bytes than a message may have
}

// Value decodes the elements, as other ports have them.
func (b *RawValue) Value() (any, error) {
	if b.CDR == nil {
		return nil, fmt.Errorf("the value with %d elements has more bytes than a message may have", b.Elements)
	}
	t, err := schema.Parse(b.Type, b.Schema)
	if err != nil {
		return nil, err
	}
	v, err := t.Value(b.CDR)
	return plain(v), err
}

// Without returns b without its bytes if these are more than most.
func (b *RawValue) Without(most int) *RawValue {
	if len(b.CDR) <= most {
		return b
	}
	return &RawValue{Type: b.Type, Schema: b.Schema, Elements: b.Elements}
}

// valueOf returns what tools get for a value of a port in CDR.
func valueOf(p *port.Port, cdr []byte) (any, error) {
	if !p.Layout().Bounded() {
		v, err := p.Type.Value(cdr)
		return plain(v), err
	}
	if err := p.Layout().Check(cdr); err != nil {
		return nil, err
	}
	_, per := p.Type.Flat()
	elements := int(binary.LittleEndian.Uint32(cdr[4:])) / per
	return &RawValue{Type: p.Type.Name(), Schema: p.Type.Definition(), Elements: elements, CDR: append([]byte(nil), cdr...)}, nil
}

// cdrOf returns the CDR for a value that a tool has sent: that of a RawValue as it is, any other converted.
func cdrOf(p *port.Port, value any) ([]byte, error) {
	b, err := bulkOf(value)
	switch {
	case err != nil:
		return nil, err
	case b == nil:
		return p.Layout().FromValue(wrap(p.Type, value))
	case b.Schema != "" && b.Schema != p.Type.Definition():
		return nil, fmt.Errorf("the value has the type %s, but the port takes %s", b.Type, p.Type.Name())
	}
	return b.CDR, p.Layout().Check(b.CDR)
}

// bulkOf returns the RawValue that a value is, also where it was read from JSON; nil for any other value. It fails for one whose
// bytes are not base64.
func bulkOf(v any) (*RawValue, error) {
	switch x := v.(type) {
	case *RawValue:
		return x, nil
	case map[string]any:
		text, ok := x["cdr"].(string)
		if _, counted := x["elements"].(float64); !ok && (!counted || x["schema"] == nil) {
			return nil, nil
		}
		b := &RawValue{}
		b.Type, _ = x["type"].(string)
		b.Schema, _ = x["schema"].(string)
		n, _ := x["elements"].(float64)
		b.Elements = int(n)
		if !ok {
			return b, nil
		}
		var err error
		if b.CDR, err = base64.StdEncoding.DecodeString(text); err != nil {
			return nil, errors.New("the member cdr is no base64")
		}
		return b, nil
	}
	return nil, nil
}
