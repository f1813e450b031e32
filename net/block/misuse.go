package block

import (
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/schema"
)

// Misuse describes what is wrong with the code of block types: methods that never run, fields that cannot be ports, tags that
// have no meaning. [NewRegistry] and inspect.Inspector panic with it, because no configuration can mend it.
type Misuse struct {
	Problems []string // a line each: the type, its field or method, the reason and the remedy
}

// Error returns the problems, a line each.
func (m *Misuse) Error() string { return strings.Join(m.Problems, "\n") }

// The functions that the methods of a block's life cycle must be.
var (
	stepFunc  = reflect.TypeFor[func(clock.Tick) error]()
	setupFunc = reflect.TypeFor[func(*Setup) error]()
	plainFunc = reflect.TypeFor[func() error]()
)

// The types of fields that nets see.
var (
	slotType      = reflect.TypeFor[slot]()
	parameterType = reflect.TypeFor[parameter]()
	operationType = reflect.TypeFor[operation]()
)

// lifeCycle lists the methods that the runtime calls.
var lifeCycle = [...]struct {
	name string
	is   reflect.Type
	as   string
}{
	{"Step", stepFunc, "(t clock.Tick) error"},
	{"Sense", stepFunc, "(t clock.Tick) error"},
	{"Control", stepFunc, "(t clock.Tick) error"},
	{"Setup", setupFunc, "(s *block.Setup) error"},
	{"Start", plainFunc, "() error"},
	{"Stop", plainFunc, "() error"},
	{"Close", plainFunc, "() error"},
	{"CheckParams", plainFunc, "() error"},
}

// kindOfField is what the type of a field makes of it.
type kindOfField string

const (
	inputKind     kindOfField = "an input"
	outputKind    kindOfField = "an output"
	eventKind     kindOfField = "an event"
	handlerKind   kindOfField = "a handler"
	paramKind     kindOfField = "a parameter"
	operationKind kindOfField = "an operation"
	stateKind     kindOfField = "a state field"
)

// tagKeys are the keys that a tag may have.
var tagKeys = map[kindOfField][]string{
	inputKind:     {"doc", "unit", "trigger", "required", "missing", "watch", "show", "part", "names", "name"},
	outputKind:    {"doc", "unit", "safe", "watch", "show", "part", "names", "name"},
	eventKind:     {"doc", "unit", "watch", "show", "part", "names", "name"},
	handlerKind:   {"doc", "unit", "trigger", "required", "watch", "show", "part", "names", "name"},
	paramKind:     {"doc", "unit", "min", "max", "default", "spread", "required", "persist", "file", "name"},
	operationKind: {"doc", "show", "name"},
	stateKind:     {"doc", "unit", "persist", "name"},
}

// typeCheck collects what is wrong with one type of block.
type typeCheck struct {
	typ      reflect.Type    // of the struct
	has      map[string]bool // methods of the life cycle
	kinds    map[kindOfField]bool
	parts    []string          // ports with the tag part
	whole    []string          // ports without
	triggers []string          // ports with the tag trigger
	names    map[string]string // what has a name, by "port", "parameter" or "operation" and the name
	problems []string
}

// checkType returns what is wrong with a type of block.
func checkType(pointer reflect.Type) []string {
	if pointer == nil || pointer.Kind() != reflect.Pointer || pointer.Elem().Kind() != reflect.Struct {
		return []string{fmt.Sprintf("block type %v: a block is a pointer to a struct", pointer)}
	}
	c := &typeCheck{typ: pointer.Elem(), has: map[string]bool{}, kinds: map[kindOfField]bool{}, names: map[string]string{}}
	c.methods(pointer)
	c.fields(c.typ)
	c.execution()
	return c.problems
}

func (c *typeCheck) fail(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf("block type %v: ", c.typ)+fmt.Sprintf(format, args...))
}

// methods looks for methods that are meant to be of the life cycle, but never run.
func (c *typeCheck) methods(pointer reflect.Type) {
	for k := range pointer.NumMethod() {
		m := pointer.Method(k)
		is := reflect.New(c.typ).Method(k).Type()
		var like []string // names of the life cycle that a method of this form can be meant for
		for _, known := range lifeCycle {
			switch {
			case m.Name == known.name && is == known.is:
				c.has[m.Name] = true
			case m.Name == known.name:
				c.fail("%s: the method %s is %s, which never runs: write it as %s%s", place(m), m.Name,
					strings.TrimPrefix(is.String(), "func"), known.name, known.as)
			case strings.EqualFold(m.Name, known.name):
				c.fail("%s: the method %s never runs: write it as %s%s", place(m), m.Name, known.name, known.as)
			case is == known.is:
				like = append(like, known.name)
			}
		}
		if near := nearest.Similar(m.Name, slices.Values(like)); near != "" && !c.isKnown(m.Name) && !strings.EqualFold(near, m.Name) {
			c.fail("%s: the method %s never runs: did you mean %s?", place(m), m.Name, near)
		}
	}
}

func (c *typeCheck) isKnown(method string) bool {
	for _, known := range lifeCycle {
		if strings.EqualFold(known.name, method) {
			return true
		}
	}
	return false
}

// place returns where a method is written, as file.go:12.
func place(m reflect.Method) string {
	f := runtime.FuncForPC(m.Func.Pointer())
	if f == nil {
		return "in its code"
	}
	file, line := f.FileLine(f.Entry())
	if strings.HasPrefix(file, "<") { // promoted from an embedded struct
		return "in an embedded struct"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

// execution checks that something runs what the block has.
func (c *typeCheck) execution() {
	sense, control := c.has["Sense"], c.has["Control"]
	switch {
	case sense != control && len(c.problems) == 0:
		there, missing := "Sense", "Control"
		if control {
			there, missing = missing, there
		}
		c.fail("it has %s but no %s, so neither runs: a two-way block has both, any other has Step", there, missing)
	case sense && control && c.has["Step"]:
		c.fail("it has Step beside Sense and Control: Step never runs; remove it")
	case sense && control && len(c.whole) > 0:
		c.fail("the block has Sense and Control: port %s needs the tag part:\"sense\" or part:\"control\"", strings.Join(c.whole, ", "))
	case c.has["Step"] && len(c.parts) > 0:
		c.fail("port %s has the tag part, but the block has neither Sense nor Control", strings.Join(c.parts, ", "))
	case c.has["Step"] || sense || control || len(c.problems) > 0:
	case len(c.triggers) > 0:
		c.fail("port %s has the tag trigger, but the block has no step that it could run: add the method Step(t clock.Tick) error; a method in small letters never runs",
			strings.Join(c.triggers, ", "))
	case c.kinds[inputKind] && c.kinds[outputKind]:
		c.fail("it has inputs and outputs, but no step from one to the other: add the method Step(t clock.Tick) error, empty if operations and handlers do it all; a method in small letters never runs")
	case c.kinds[handlerKind] || c.kinds[operationKind]:
	case c.kinds[outputKind]:
		c.fail("it has outputs, but nothing writes them: add the method Step(t clock.Tick) error; a method in small letters never runs")
	case c.kinds[inputKind]:
		c.fail("it has inputs, but nothing reads them: add the method Step(t clock.Tick) error; a method in small letters never runs")
	}
}

// fields checks the fields of the struct t, and those of embedded structs.
func (c *typeCheck) fields(t reflect.Type) {
	for k := range t.NumField() {
		f := t.Field(k)
		if f.Anonymous && f.Type.Kind() == reflect.Struct && fieldKind(f.Type) == "" {
			c.fields(f.Type)
			continue
		}
		kind, how := fieldKind(f.Type), ""
		if kind == "" {
			kind, how = wrapped(f.Type)
		}
		switch _, persists := f.Tag.Lookup(persistTag); {
		case kind == "" && persists:
			c.field(f, stateKind, false)
		case kind == "" && hidesPersistent(f.Type):
			c.fail("field %s holds a field with the tag persist, which is not seen there: give the tag to %s, or embed it", f.Name, f.Name)
		case kind == "":
		case f.Anonymous && how == "":
			c.fail("field %s is %s that is embedded: give it a name", f.Name, kind)
		case !f.IsExported():
			c.fail("field %s is %s, but begins with a small letter and is not seen: write %s", f.Name, kind, strings.ToUpper(f.Name[:1])+f.Name[1:])
		case how != "" && how != "slice":
			c.fail("field %s is %s of ports, parameters or operations: wants %s", f.Name, how, strings.TrimPrefix(f.Type.String(), "*"))
		default:
			c.field(f, kind, how == "slice")
		}
	}
}

// field checks the tag and the data of one port, parameter or operation.
func (c *typeCheck) field(f reflect.StructField, kind kindOfField, many bool) {
	c.kinds[kind] = true
	tags, err := parseTag(string(f.Tag))
	if err != nil {
		c.fail("field %s: %v", f.Name, err)
		return
	}
	known := tagKeys[kind]
	for _, key := range tags {
		if !slices.Contains(known, key) {
			c.fail("field %s: %s has no tag %q%s", f.Name, kind, key, nearest.Hint(key, known))
		}
	}
	for _, key := range []string{"trigger", "watch", "spread", "required", persistTag} {
		if text, ok := f.Tag.Lookup(key); ok && text != "yes" {
			c.fail("field %s: the tag %s is %q: wants \"yes\", or leave it out", f.Name, key, text)
		}
	}
	if f.Tag.Get("trigger") == "yes" {
		c.triggers = append(c.triggers, f.Name)
	}
	switch part, ok := f.Tag.Lookup("part"); {
	case kind == paramKind, kind == operationKind, kind == stateKind:
	case !ok:
		c.whole = append(c.whole, f.Name)
	case part != "sense" && part != "control":
		c.fail("field %s: the tag part is %q: wants \"sense\" or \"control\"", f.Name, part)
	default:
		c.parts = append(c.parts, f.Name)
	}
	if from, ok := f.Tag.Lookup("names"); ok {
		if g, there := c.typ.FieldByName(from); !there || g.Type != reflect.TypeFor[Const[[]string]]() {
			c.fail("field %s takes its names from %s, which is no Const[[]string]", f.Name, from)
		}
	}
	for _, from := range unitField.FindAllStringSubmatch(f.Tag.Get("unit"), -1) {
		if g, there := c.typ.FieldByName(from[1]); !there || g.Type != reflect.TypeFor[Const[string]]() {
			c.fail("field %s takes its unit from %q, which is no Const[string]", f.Name, from[1])
		}
	}
	c.name(f, kind, many)
	c.data(f, kind)
}

// name checks that a name is there once.
func (c *typeCheck) name(f reflect.StructField, kind kindOfField, many bool) {
	what, name := "port", nameOf(f)
	switch {
	case many:
		return // a number follows
	case kind == paramKind, kind == stateKind:
		what = "parameter"
	case kind == operationKind:
		what, name = "operation", f.Tag.Get("name")
		if name == "" {
			name = verbName(f.Name)
		}
	case name == port.EnableName:
		c.fail("field %s: every block has a port %q already: choose another name", f.Name, name)
	}
	key := what + " " + name
	if first := c.names[key]; first != "" {
		c.fail("fields %s and %s are both the %s %q: give one of them a tag name", first, f.Name, what, name)
	}
	c.names[key] = f.Name
}

// data checks the type of what a field holds, and the values in its tags.
func (c *typeCheck) data(f reflect.StructField, kind kindOfField) {
	if kind == stateKind {
		c.state(f)
		return
	}
	field := reflect.New(f.Type)
	if f.Type.Kind() == reflect.Slice {
		field = reflect.New(f.Type.Elem())
	}
	plain := func(t reflect.Type) bool {
		_, err := schema.Of(t)
		if err != nil && t.Kind() == reflect.String {
			c.fail("field %s is %s of type string: wants numbers, bools, or arrays, slices and structs of them; a text is a block.Const[string]", f.Name, kind)
		} else if err != nil {
			c.fail("field %s is %s of type %v: %v", f.Name, kind, t, err)
		}
		return err == nil
	}
	switch x := field.Interface().(type) {
	case operation:
		args, result := x.field().types()
		if plain(args) {
			plain(result)
		}
	case slot:
		t := x.field().DataType()
		if safe, ok := f.Tag.Lookup("safe"); plain(t) && ok {
			value := reflect.New(t)
			if t.Kind() == reflect.Slice {
				value.Elem().Set(reflect.MakeSlice(t, 1, 1)) // one number stands for all
			}
			if err := parseInto(value.Interface(), safe); err != nil {
				c.fail("field %s: its safe value %q: %v", f.Name, safe, err)
			}
		}
	case parameter:
		t := reflect.TypeOf(x.target()).Elem()
		if x.fixed() || plain(t) {
			c.parameter(f, x)
		}
	}
}

// state checks the type of a state field that outlives the run.
func (c *typeCheck) state(f reflect.StructField) {
	t, err := schema.Of(f.Type)
	if err != nil {
		c.fail("field %s has the tag persist, and its type %v: %v", f.Name, f.Type, err)
		return
	}
	if t.Kind() == schema.Struct && t.Slices() > 0 {
		c.fail("field %s has the tag persist, and its type %v has slices: give each a field of its own", f.Name, f.Type)
	}
}

// parameter checks bounds and default of a parameter.
func (c *typeCheck) parameter(f reflect.StructField, p parameter) {
	if _, persists := f.Tag.Lookup(persistTag); persists && p.fixed() {
		c.fail("field %s has the tag persist, but a constant never changes: wants a Param or a state field", f.Name)
	}
	if _, isFile := f.Tag.Lookup(fileTag); isFile && !p.fixed() || isFile && !isTexts(reflect.TypeOf(p.target()).Elem()) {
		c.fail("field %s has the tag file: wants a Const[string] or Const[[]string], the names of files", f.Name)
	}
	bounds := map[string]float64{"min": math.Inf(-1), "max": math.Inf(1)}
	for _, key := range []string{"min", "max"} {
		if text, ok := f.Tag.Lookup(key); ok {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				c.fail("field %s: the tag %s is %q: wants a number", f.Name, key, text)
				return
			}
			bounds[key] = x
		}
	}
	if bounds["min"] > bounds["max"] {
		c.fail("field %s: its tag min is above max", f.Name)
		return
	}
	target := reflect.ValueOf(p.target()).Elem()
	if _, ok := f.Tag.Lookup("spread"); ok && target.Kind() != reflect.Slice {
		c.fail("field %s: the tag spread is for lists, and %v is none", f.Name, target.Type())
	}
	text, ok := f.Tag.Lookup("default")
	if !ok {
		return
	}
	if target.Kind() == reflect.Slice && !strings.HasPrefix(text, "[") && !strings.Contains(text, ",") {
		c.fail("field %s: its default %q gives no length: write it as \"[%s]\"", f.Name, text, text)
		return
	}
	if err := parse(target, text); err != nil {
		c.fail("field %s: its default %q does not fit its type %v: %v", f.Name, text, target.Type(), err)
		return
	}
	info := port.NewParameter(port.Parameter{Name: nameOf(f), Unit: f.Tag.Get("unit")}, p.target(), bounds["min"], bounds["max"])
	if err := info.CheckValue(info.Name, target); err != nil {
		c.fail("field %s: its default lies outside its own bounds: %v", f.Name, err)
	}
}

// fieldKind returns what a field of type t is; "" where it is no port, parameter or operation.
func fieldKind(t reflect.Type) kindOfField {
	if p := reflect.PointerTo(t); !p.Implements(slotType) && !p.Implements(parameterType) && !p.Implements(operationType) {
		return ""
	}
	switch x := reflect.New(t).Interface().(type) {
	case operation:
		return operationKind
	case parameter:
		return paramKind
	case slot:
		switch x.field().(type) {
		case port.InputField:
			return inputKind
		case port.OutputField:
			return outputKind
		case port.HandlerField:
			return handlerKind
		}
		return eventKind
	}
	return ""
}

// wrapped looks for ports, parameters and operations in a pointer, array, slice, map or struct, and returns how they are held.
func wrapped(t reflect.Type) (kindOfField, string) {
	switch t.Kind() {
	case reflect.Slice:
		kind := fieldKind(t.Elem())
		if kind == paramKind || kind == operationKind {
			return kind, "a slice"
		}
		return kind, "slice"
	case reflect.Pointer:
		return fieldKind(t.Elem()), "a pointer"
	case reflect.Array:
		return fieldKind(t.Elem()), "an array"
	case reflect.Map:
		return fieldKind(t.Elem()), "a map"
	}
	return "", ""
}

// parseTag returns the keys of a struct tag; an error where it is not written as the language wants it.
func parseTag(tag string) (keys []string, err error) {
	rest := strings.TrimSpace(tag)
	for rest != "" {
		key, after, ok := strings.Cut(rest, ":")
		if !ok || key == "" || strings.ContainsAny(key, " ,;\t\"`") || !strings.HasPrefix(after, `"`) {
			return nil, fmt.Errorf("the tag `%s` cannot be read from `%s` on: wants key:\"value\" pairs with a space between them", tag, rest)
		}
		end := 1
		for end < len(after) && after[end] != '"' {
			if after[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(after) {
			return nil, fmt.Errorf("the tag `%s` does not close the quotes of %s", tag, key)
		}
		if slices.Contains(keys, key) {
			return nil, fmt.Errorf("the tag `%s` has %s twice", tag, key)
		}
		keys = append(keys, key)
		rest = strings.TrimLeft(after[end+1:], " ")
	}
	return keys, nil
}
