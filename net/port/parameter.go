package port

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/sinew-robotics/sinew/net/schema"
)

// Parameter describes one parameter of a block.
type Parameter struct {
	Name    string
	Doc     string
	Unit    string
	Fixed   bool           // a Const
	Spread  bool           // one element given stands for all
	Persist bool           // its value outlives the run
	Min     float64        // inclusive, for each element; -Inf where the tag states none: see MaxMagnitude
	Max     float64        // inclusive; +Inf where the tag states none
	Type    *schema.Type   // nil where a Const holds strings
	Layout  *schema.Layout // of the present value; nil with Type
	value   any            // a pointer to it
	at      unsafe.Pointer // of the same
	limits  limits
}

// NewParameter completes the description of a parameter, whose value is at a pointer, with the bounds of its numbers from outside.
func NewParameter(p Parameter, value any, lo, hi float64) *Parameter {
	p.value, p.at = value, reflect.ValueOf(value).UnsafePointer()
	p.limits = newLimits(p.Name, p.Unit, lo, hi)
	return &p
}

// Pointer returns a pointer to the present value.
func (p *Parameter) Pointer() any { return p.value }

// Value returns the present value. Only for the thread that owns the block, or before it starts.
func (p *Parameter) Value() any { return reflect.ValueOf(p.value).Elem().Interface() }

// Encode writes the present value as CDR into dst, which has at least p.Layout.Size() bytes, and returns its length.
// It is meant for the thread that owns the block.
func (p *Parameter) Encode(dst []byte) int { return p.Layout.Encode(dst, p.at) }

// Decode replaces the value by the one in cdr. It fails as [schema.Layout.Decode] does, and the value stays; it does not check limits, see
// [Parameter.Admits]. It is meant for the thread that owns the block.
func (p *Parameter) Decode(cdr []byte) error { return p.Layout.Decode(p.at, cdr) }

// Admits returns why the value in cdr, which comes from outside, is not a possible one: its form, NaN, out of the bounds of the
// tags, or beyond [MaxMagnitude]. It does not allocate: its error names the parameter and what is allowed.
func (p *Parameter) Admits(cdr []byte) error {
	if err := p.Layout.Check(cdr); err != nil {
		return err
	}
	return p.limits.check(p.Layout, cdr)
}

// Check is [Parameter.Admits] with an error that names the number. It allocates.
func (p *Parameter) Check(cdr []byte) error {
	if err := p.Layout.Check(cdr); err != nil {
		return err
	}
	return p.limits.explain(p.Name, p.Unit, p.Layout, cdr)
}

// CheckValue is [Parameter.Check] of a value in Go, which is at a path such as "gains".
func (p *Parameter) CheckValue(path string, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if err := p.CheckValue(fmt.Sprintf("%s[%d]", path, i), v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if err := p.CheckValue(path+"."+schema.SnakeCase(v.Type().Field(i).Name), v.Field(i)); err != nil {
				return err
			}
		}
	case reflect.Interface:
		return p.CheckValue(path, v.Elem())
	case reflect.Float32, reflect.Float64:
		return p.limits.checkNumber(path, p.Unit, v.Float())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return p.limits.checkNumber(path, p.Unit, float64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return p.limits.checkNumber(path, p.Unit, float64(v.Uint()))
	}
	return nil
}
