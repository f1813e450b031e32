package block

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"github.com/sinew-robotics/sinew/net/schema"
)

// Param is a parameter: a value that can be tuned while the block runs. T is plain data. It changes only between two
// steps, and all values of one change together.
type Param[T any] struct {
	value T
	given bool
}

// NewParam returns a parameter of the given first value, for blocks written as Go literals.
func NewParam[T any](v T) Param[T] { return Param[T]{value: v, given: true} }

// Value returns the parameter's present value. A slice is the parameter's memory and not to be changed.
func (p *Param[T]) Value() T { return p.value }

// Set changes the value from within the block: in Setup or in a step of its own, as an automatic tuner does.
// It does not check bounds.
func (p *Param[T]) Set(v T) { p.value, p.given = v, true }

func (p *Param[T]) isGiven() bool         { return p.given }
func (p *Param[T]) give()                 { p.given = true }
func (p *Param[T]) target() any           { return &p.value }
func (p *Param[T]) fixed() bool           { return false }
func (p *Param[T]) where() unsafe.Pointer { return unsafe.Pointer(&p.value) }

// Const is a parameter that is fixed when the system is built: a count, a file, the name of another block. T may be
// a string or a slice of strings besides plain data.
type Const[T any] struct {
	value T
	given bool
}

// NewConst returns a constant of the given value, for blocks written as Go literals.
func NewConst[T any](v T) Const[T] { return Const[T]{value: v, given: true} }

// Value returns the constant.
func (c *Const[T]) Value() T { return c.value }

func (c *Const[T]) isGiven() bool         { return c.given }
func (c *Const[T]) give()                 { c.given = true }
func (c *Const[T]) target() any           { return &c.value }
func (c *Const[T]) fixed() bool           { return true }
func (c *Const[T]) where() unsafe.Pointer { return unsafe.Pointer(&c.value) }

// parameter is what Param and Const have in common.
type parameter interface {
	isGiven() bool
	give()
	target() any // *T
	fixed() bool
	where() unsafe.Pointer
}

// Parameter describes one parameter of a block.
type Parameter struct {
	Name   string
	Doc    string
	Unit   string
	Fixed  bool    // a Const
	Min    float64 // inclusive, for each element; -Inf where there is none
	Max    float64
	Type   *schema.Type   // nil where a Const holds strings
	Layout *schema.Layout // of the present value; nil with Type
	field  parameter
}

// Value returns the present value. Only for the thread that owns the block, or before it starts.
func (p *Parameter) Value() any { return reflect.ValueOf(p.field.target()).Elem().Interface() }

// Encode writes the present value as CDR into dst, which has at least p.Layout.Size() bytes, and returns its length.
// It is meant for the thread that owns the block.
func (p *Parameter) Encode(dst []byte) int { return p.Layout.Encode(dst, p.field.where()) }

// Decode replaces the value by the one in cdr. It is meant for the thread that owns the block.
func (p *Parameter) Decode(cdr []byte) error { return p.Layout.Decode(p.field.where(), cdr) }

// withoutUnit returns the number of a text such as "24 V", if the unit is the parameter's own.
func (p *Parameter) withoutUnit(v any, kind reflect.Kind) (any, error) {
	text, ok := v.(string)
	number, unit, split := strings.Cut(text, " ")
	if !ok || !split || p.Unit == "" || kind == reflect.String {
		return v, nil
	}
	x, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return v, nil
	}
	if unit = strings.TrimSpace(unit); unit != p.Unit {
		return nil, fmt.Errorf("%s is in %s: wants %s", p.Name, unit, p.Unit)
	}
	return x, nil
}

// Check returns why v is not a possible value: NaN or out of bounds.
func (p *Parameter) Check(v any) error {
	return p.checkValue(p.Name, reflect.ValueOf(v))
}

func (p *Parameter) checkValue(path string, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if err := p.checkValue(fmt.Sprintf("%s[%d]", path, i), v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if err := p.checkValue(path+"."+schema.SnakeCase(v.Type().Field(i).Name), v.Field(i)); err != nil {
				return err
			}
		}
	case reflect.Interface:
		return p.checkValue(path, v.Elem())
	case reflect.Float32, reflect.Float64:
		return p.checkNumber(path, v.Float())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return p.checkNumber(path, float64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return p.checkNumber(path, float64(v.Uint()))
	}
	return nil
}

func (p *Parameter) checkNumber(path string, x float64) error {
	switch {
	case math.IsNaN(x):
		return fmt.Errorf("%s is NaN: wants a number", path)
	case x < p.Min:
		return fmt.Errorf("%s is %v%s: wants at least %v", path, x, spaced(p.Unit), p.Min)
	case x > p.Max:
		return fmt.Errorf("%s is %v%s: wants at most %v", path, x, spaced(p.Unit), p.Max)
	}
	return nil
}

func spaced(unit string) string {
	if unit == "" {
		return ""
	}
	return " " + unit
}
