package block

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/panics"
	"github.com/sinew-robotics/sinew/net/block/internal/door"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/schema"
)

// Package inspect gives these to packages that build nets, tools and tests.
var _ = openDoor()

func openDoor() struct{} {
	door.NewInspector = func() door.Inspector { return new(inspector) }
	door.PortOf = func(field any) *port.Port {
		s, ok := field.(slot)
		if !ok {
			panic(fmt.Sprintf("block: PortOf wants a pointer to an In, Out, Event or Handler, got %T", field))
		}
		return s.port()
	}
	return struct{}{}
}

// inspector is inspect.Inspector.
type inspector struct {
	types  map[reflect.Type]*schema.Type
	blocks map[reflect.Type]bool // types of blocks that are in order
}

// Inspect is as in package inspect.
func (in *inspector) Inspect(name string, b any, given port.Given) (*port.Instance, []error) {
	v := reflect.ValueOf(b)
	if in.types == nil {
		in.types, in.blocks = map[reflect.Type]*schema.Type{}, map[reflect.Type]bool{}
	}
	if t := reflect.TypeOf(b); !in.blocks[t] {
		if problems := checkType(t); problems != nil {
			panic(&Misuse{problems})
		}
		in.blocks[t] = true
	}
	made := &struct {
		port.Instance
		enable In[bool]
	}{}
	i := &made.Instance
	i.Name, i.Type, i.Block = name, v.Elem().Type().String(), b
	_, i.TwoWay = b.(SenseController)
	_, i.MayBlock = b.(Blocking)
	_, i.Executable = b.(Stepper)
	i.Executable = i.Executable || i.TwoWay
	errs := in.params(i, v.Elem(), given.Params)
	restored := in.restore(i, v.Elem(), given)
	s := &Setup{instance: i, files: given.Files}
	if setup, ok := b.(Setupper); ok && len(errs) == 0 {
		err := panics.Recovered("running Setup", func() error { return setup.Setup(s) })
		if err == nil {
			err = s.err
		}
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			errs = append(errs, joined.Unwrap()...)
		} else if err != nil {
			errs = append(errs, err)
		}
	}
	for _, p := range i.Params {
		if p.Type != nil {
			p.Layout, _ = schema.LayoutOf(reflect.ValueOf(p.Pointer()).Elem())
		}
	}
	restored.afterSetup(s)
	errs = append(errs, in.ports(i, v.Elem(), s)...)
	i.SameLengths = s.sameLengths()
	i.Enable = &port.Port{Name: port.EnableName, Doc: "while it reads false, the block is not executed"}
	in.addPort(i, i.Enable, &made.enable)
	i.AddGate(i.Enable)
	return i, errs
}

// AddEnable is as in package inspect.
func (in *inspector) AddEnable(i *port.Instance, number bool, doc string) *port.Port {
	p := &port.Port{Doc: doc}
	for n := 2; p.Name == "" || i.Port(p.Name) != nil; n++ {
		p.Name = port.EnableName + strconv.Itoa(n)
	}
	if number {
		in.addPort(i, p, new(In[float64]))
	} else {
		in.addPort(i, p, new(In[bool]))
	}
	i.AddGate(p)
	return p
}

// AddTrigger is as in package inspect.
func (in *inspector) AddTrigger(i *port.Instance) {
	i.Trigger = &port.Port{Name: port.TriggerName, Trigger: true, Doc: "when it becomes true, the block is executed once: its group is triggered"}
	in.addPort(i, i.Trigger, new(In[bool]))
}

// params finds the parameters and constants of the struct v and gives them their values.
func (in *inspector) params(i *port.Instance, v reflect.Value, given map[string]any) (errs []error) {
	for f, value := range fields(v) {
		p, ok := value.Addr().Interface().(parameter)
		if !ok {
			continue
		}
		info := port.NewParameter(port.Parameter{
			Name: nameOf(f), Doc: docOf(f, v, given), Unit: unitOf(f, v, given), Fixed: p.fixed(), Spread: f.Tag.Get("spread") == "yes",
			Persist: f.Tag.Get(persistTag) == "yes",
			Min:     bound(f, "min", math.Inf(-1)), Max: bound(f, "max", math.Inf(1)),
		}, p.target(), bound(f, "min", -port.MaxMagnitude), bound(f, "max", port.MaxMagnitude))
		i.Params = append(i.Params, info)
		if err := first(info, p, f, given); err != nil {
			errs = append(errs, &port.ParamError{Param: info.Name, Err: err})
		}
		info.Type = in.typeOf(reflect.TypeOf(p.target()).Elem(), i, f.Name, p.fixed())
	}
	for name := range given {
		if i.Param(name) == nil {
			e := &port.ParamError{Param: name, Err: fmt.Errorf("%s has no parameter %q", i.Type, name)}
			for _, p := range i.Params {
				e.Known = append(e.Known, p.Name)
			}
			errs = append(errs, e)
		}
	}
	return errs
}

// first gives a parameter its first value: the configuration's, the literal's or the tag's.
func first(p *port.Parameter, field parameter, f reflect.StructField, given map[string]any) error {
	target := reflect.ValueOf(field.target()).Elem()
	if v, ok := given[p.Name]; ok {
		v, err := withoutUnit(p, v, target.Type())
		if err == nil {
			err = convert(target, v, p.Name)
		}
		if err != nil {
			return err
		}
		field.give()
	} else if text, ok := f.Tag.Lookup("default"); ok && !field.isGiven() {
		if err := parse(target, text); err != nil {
			return err // of a type that is no plain data: see checkType
		}
	}
	if f.Tag.Get("required") == "yes" && !field.isGiven() {
		return fmt.Errorf("%s is not given, and the block needs it%s", p.Name, described(p.Doc))
	}
	return p.CheckValue(p.Name, target)
}

// described returns what is written about a field, in brackets.
func described(doc string) string {
	if doc == "" {
		return ""
	}
	return " (" + doc + ")"
}

// numberWithUnit takes "30deg" and "24 V" apart.
var numberWithUnit = regexp.MustCompile(`^([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?) *([^-+0-9.,\s].*?) *$`)

// withoutUnit returns the number of a text such as "24 V", if the unit is that of the parameter.
func withoutUnit(p *port.Parameter, v any, t reflect.Type) (any, error) {
	text, ok := v.(string)
	number, unit, split := strings.Cut(text, " ")
	if t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	if !ok || t.Kind() == reflect.String || t == reflect.TypeFor[time.Duration]() {
		return v, nil
	}
	if m := numberWithUnit.FindStringSubmatch(text); m != nil && isNumber(m[1]) {
		switch {
		case p.Unit == "":
			return nil, fmt.Errorf("%s has no unit, got %q: write the number alone", p.Name, text)
		case m[2] == p.Unit && !split:
			return nil, fmt.Errorf("%s wants a number, got %q: write %s %s with a space between, or %s", p.Name, text, m[1], p.Unit, m[1])
		case m[2] != p.Unit:
			return nil, fmt.Errorf("%s is in %s: wants %s, got %q: convert it, and write the number alone", p.Name, m[2], p.Unit, text)
		}
	}
	if !split {
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

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// ports finds the ports and operations of the struct v.
func (in *inspector) ports(i *port.Instance, v reflect.Value, setup *Setup) (errs []error) {
	for f, value := range fields(v) {
		if op, ok := value.Addr().Interface().(operation); ok {
			list := &i.Operations
			if setup.omit(op, operationName(f)) {
				list = &i.Absent
			}
			*list = append(*list, in.operation(i, f, op.field()))
			continue
		}
		if s, ok := value.Addr().Interface().(slot); ok {
			if !setup.omit(s, nameOf(f)) {
				p := portOf(i, f, nameOf(f))
				p.Required = p.Required || slices.Contains(setup.required, Sized(s))
				in.addPort(i, p, s)
			}
			continue
		}
		if value.Kind() != reflect.Slice {
			continue
		}
		if n := value.Len(); n > MaxBlockPorts && isSlot(value.Index(0)) {
			errs = append(errs, fmt.Errorf("Setup makes %d ports of field %s: at most %d are possible", n, f.Name, MaxBlockPorts))
			continue
		}
		names := arrayNames(i, f)
		for k := range value.Len() {
			s, ok := value.Index(k).Addr().Interface().(slot)
			if !ok {
				break
			}
			name := nameOf(f) + strconv.Itoa(k+1)
			if k < len(names) {
				name = names[k]
			}
			in.addPort(i, portOf(i, f, name), s)
		}
	}
	return errs
}

func isSlot(v reflect.Value) bool {
	_, ok := v.Addr().Interface().(slot)
	return ok
}

// arrayNames returns the names that the tag names:"Field" gives to an array of ports.
func arrayNames(i *port.Instance, f reflect.StructField) []string {
	from, ok := f.Tag.Lookup("names")
	if !ok {
		return nil
	}
	return reflect.ValueOf(i.Block).Elem().FieldByName(from).Addr().Interface().(*Const[[]string]).Value()
}

func portOf(i *port.Instance, f reflect.StructField, name string) *port.Port {
	v := reflect.ValueOf(i.Block).Elem()
	p := &port.Port{
		Name: name, Doc: docOf(f, v, nil), Unit: unitOf(f, v, nil), Safe: f.Tag.Get("safe"),
		Trigger: f.Tag.Get("trigger") == "yes", Required: f.Tag.Get("required") == "yes", Watch: f.Tag.Get("watch") == "yes", Show: f.Tag.Get("show"),
		Missing: f.Tag.Get("missing"),
	}
	switch f.Tag.Get("part") {
	case "sense":
		p.Part = port.Sense
	case "control":
		p.Part = port.Control
	}
	return p
}

func (in *inspector) addPort(i *port.Instance, p *port.Port, s slot) {
	length, f := 0, s.field()
	if l, ok := s.(interface{ Len() int }); ok {
		length = l.Len()
	}
	i.Add(p, f, in.typeOf(f.DataType(), i, p.Name, false), length)
	s.describe(p)
}

func (in *inspector) operation(i *port.Instance, f reflect.StructField, op operationField) *port.Operation {
	name := operationName(f)
	args, result := op.types()
	in.typeOf(args, i, f.Name, false)
	in.typeOf(result, i, f.Name, false)
	argLayout, resultLayout, err := op.allocate()
	if err != nil {
		panic(fmt.Sprintf("block: operation %s of %s: %v", name, i.Type, err))
	}
	v := reflect.ValueOf(i.Block).Elem()
	return port.NewOperation(port.Operation{
		Name: name, Doc: docOf(f, v, nil), Unit: unitOf(f, v, nil), Show: f.Tag.Get("show"), InCaller: op.runsInCaller(), Args: argLayout, Result: resultLayout,
	}, op)
}

// typeOf describes T. Only constants may be of types that are not plain data; they have no description.
func (in *inspector) typeOf(t reflect.Type, i *port.Instance, field string, maybe bool) *schema.Type {
	if known, ok := in.types[t]; ok {
		return known
	}
	described, err := schema.Of(t)
	if err != nil {
		if maybe {
			return nil
		}
		panic(fmt.Sprintf("block: field %s of %s: %v", field, i.Type, err))
	}
	in.types[t] = described
	return described
}

// fields walks the exported fields of a struct and of the structs embedded in it.
func fields(v reflect.Value) func(yield func(reflect.StructField, reflect.Value) bool) {
	return func(yield func(reflect.StructField, reflect.Value) bool) { walk(v, yield) }
}

func walk(v reflect.Value, yield func(reflect.StructField, reflect.Value) bool) bool {
	t := v.Type()
	for k := range t.NumField() {
		f := t.Field(k)
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			if !walk(v.Field(k), yield) {
				return false
			}
		case f.IsExported():
			if !yield(f, v.Field(k)) {
				return false
			}
		}
	}
	return true
}

func nameOf(f reflect.StructField) string {
	if name := f.Tag.Get("name"); name != "" {
		return name
	}
	return schema.SnakeCase(f.Name)
}

// operationName returns the name of the operation in a field.
func operationName(f reflect.StructField) string {
	if name := f.Tag.Get("name"); name != "" {
		return name
	}
	return verbName(f.Name)
}

// verbName is the name of an operation: the field's with its first word in small letters, as in moveTo.
func verbName(field string) string {
	first, _, _ := strings.Cut(schema.SnakeCase(field), "_")
	return first + field[len(first):]
}

func bound(f reflect.StructField, tag string, otherwise float64) float64 {
	text, ok := f.Tag.Lookup(tag)
	if !ok {
		return otherwise
	}
	x, _ := strconv.ParseFloat(text, 64) // checkType has accepted it
	return x
}
