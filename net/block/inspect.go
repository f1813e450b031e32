package block

import (
	"fmt"
	"io/fs"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/net/schema"
)

// Given is what a configuration says of a block.
type Given struct {
	Params map[string]any // by name, as a configuration file holds them
	Files  fs.FS          // where the paths in constants lead; may be nil
}

// ParamError is what is wrong with one parameter of a configuration.
type ParamError struct {
	Param string
	Known []string // where there is no such parameter: those there are
	Err   error
}

func (e *ParamError) Error() string { return e.Err.Error() }

func (e *ParamError) Unwrap() error { return e.Err }

// Inspector finds what blocks have to show. It remembers the types it has seen.
type Inspector struct {
	types map[reflect.Type]*schema.Type
}

// Inspect gives block b its name and parameters, runs its Setup and finds its ports and operations. All that is wrong
// comes at once. Where b is no pointer to a struct, or a field cannot be a port, it panics: that is the programmer's
// mistake and no configuration's.
func (in *Inspector) Inspect(name string, b Block, given Given) (*Instance, []error) {
	v := reflect.ValueOf(b)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("block: %s is a %T: a block is a pointer to a struct", name, b))
	}
	if in.types == nil {
		in.types = map[reflect.Type]*schema.Type{}
	}
	i := &Instance{Name: name, Type: v.Elem().Type().String(), Block: b}
	errs := in.params(i, v.Elem(), given.Params)
	if setup, ok := b.(Setupper); ok && len(errs) == 0 {
		if err := setup.Setup(&Setup{instance: i, files: given.Files}); err != nil {
			errs = append(errs, err)
		}
	}
	for _, p := range i.Params {
		if p.Type != nil {
			p.Layout, _ = schema.LayoutOf(reflect.ValueOf(p.field.target()).Elem())
		}
	}
	in.ports(i, v.Elem())
	i.Enable = &Port{Name: EnableName, Kind: InPort, Part: Whole, Doc: "while it reads false, the block is not executed"}
	in.addPort(i, i.Enable, &i.enable)
	return i, errs
}

// params finds the parameters and constants of the struct v and gives them their values.
func (in *Inspector) params(i *Instance, v reflect.Value, given map[string]any) (errs []error) {
	for f, value := range fields(v) {
		p, ok := value.Addr().Interface().(parameter)
		if !ok {
			continue
		}
		info := &Parameter{
			Name: nameOf(f), Doc: f.Tag.Get("doc"), Unit: f.Tag.Get("unit"), Fixed: p.fixed(),
			Min: bound(f, "min", math.Inf(-1)), Max: bound(f, "max", math.Inf(1)), field: p,
		}
		i.Params = append(i.Params, info)
		if err := in.first(info, f, given); err != nil {
			errs = append(errs, &ParamError{Param: info.Name, Err: err})
		}
		info.Type = in.typeOf(reflect.TypeOf(p.target()).Elem(), i, f.Name, p.fixed())
	}
	for name := range given {
		if i.Param(name) == nil {
			e := &ParamError{Param: name, Err: fmt.Errorf("%s has no parameter %q", i.Type, name)}
			for _, p := range i.Params {
				e.Known = append(e.Known, p.Name)
			}
			errs = append(errs, e)
		}
	}
	return errs
}

// first gives a parameter its first value: the configuration's, the literal's or the tag's.
func (in *Inspector) first(p *Parameter, f reflect.StructField, given map[string]any) error {
	target := reflect.ValueOf(p.field.target()).Elem()
	if v, ok := given[p.Name]; ok {
		v, err := p.withoutUnit(v, target.Kind())
		if err == nil {
			err = convert(target, v, p.Name)
		}
		if err != nil {
			return err
		}
		p.field.give()
	} else if text, ok := f.Tag.Lookup("default"); ok && !p.field.isGiven() {
		if err := parse(target, text); err != nil {
			panic(fmt.Sprintf("block: default of field %s: %v", f.Name, err))
		}
	}
	return p.checkValue(p.Name, target)
}

// ports finds the ports and operations of the struct v.
func (in *Inspector) ports(i *Instance, v reflect.Value) {
	for f, value := range fields(v) {
		if op, ok := value.Addr().Interface().(operation); ok {
			in.addOperation(i, f, op)
			continue
		}
		if s, ok := value.Addr().Interface().(slot); ok {
			in.addPort(i, portOf(f, nameOf(f)), s)
			continue
		}
		if value.Kind() != reflect.Slice {
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
			in.addPort(i, portOf(f, name), s)
		}
	}
}

// arrayNames returns the names that the tag names:"Field" gives to an array of ports.
func arrayNames(i *Instance, f reflect.StructField) []string {
	from, ok := f.Tag.Lookup("names")
	if !ok {
		return nil
	}
	c, ok := reflect.ValueOf(i.Block).Elem().FieldByName(from).Addr().Interface().(*Const[[]string])
	if !ok {
		panic(fmt.Sprintf("block: %s.%s takes its names from %s, which is no Const[[]string]", i.Type, f.Name, from))
	}
	return c.Value()
}

func portOf(f reflect.StructField, name string) *Port {
	p := &Port{
		Name: name, Doc: f.Tag.Get("doc"), Unit: f.Tag.Get("unit"), Safe: f.Tag.Get("safe"),
		Trigger: f.Tag.Get("trigger") == "yes", Watch: f.Tag.Get("watch") == "yes", Show: f.Tag.Get("show"),
	}
	switch f.Tag.Get("part") {
	case "sense":
		p.Part = Sense
	case "control":
		p.Part = Control
	}
	return p
}

func (in *Inspector) addPort(i *Instance, p *Port, s slot) {
	switch s.(type) {
	case inlet:
		p.Kind = InPort
	case outlet:
		p.Kind = OutPort
	case receiver:
		p.Kind = HandlerPort
	default:
		p.Kind = EventPort
	}
	if i.TwoWay() && p.Part == Whole && p.Name != EnableName {
		panic(fmt.Sprintf("block: port %s of %s needs the tag part:\"sense\" or part:\"control\"", p.Name, i.Type))
	}
	p.Block, p.Index = i, len(i.Ports)
	p.bind(s)
	p.Type = in.typeOf(s.dataType(), i, p.Name, false)
	if l, ok := s.(interface{ Len() int }); ok {
		p.length = l.Len()
	}
	s.describe(p)
	i.Ports = append(i.Ports, p)
}

func (in *Inspector) addOperation(i *Instance, f reflect.StructField, op operation) {
	name := f.Tag.Get("name")
	if name == "" {
		name = verbName(f.Name)
	}
	info := &OperationInfo{Name: name, Doc: f.Tag.Get("doc"), Show: f.Tag.Get("show"), InCaller: op.runsInCaller(), field: op}
	args, result := op.types()
	in.typeOf(args, i, f.Name, false)
	in.typeOf(result, i, f.Name, false)
	var err error
	if info.Args, info.Result, err = op.allocate(); err != nil {
		panic(fmt.Sprintf("block: operation %s of %s: %v", name, i.Type, err))
	}
	i.Operations = append(i.Operations, info)
}

// typeOf describes T. Only constants may be of types that are not plain data; they have no description.
func (in *Inspector) typeOf(t reflect.Type, i *Instance, field string, maybe bool) *schema.Type {
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
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("block: tag %s of field %s: %v", tag, f.Name, err))
	}
	return x
}
