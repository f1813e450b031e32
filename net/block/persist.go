package block

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/schema"
)

// persistTag is the key of the tag of fields whose values outlive the run. A kept value is there before Setup.
const persistTag = "persist"

// stateFields walks the fields with the tag persist that are no parameters, also those in small letters, of a struct and of the structs
// embedded in it.
func stateFields(v reflect.Value, yield func(reflect.StructField, reflect.Value)) {
	t := v.Type()
	for k := range t.NumField() {
		f := t.Field(k)
		switch _, persists := f.Tag.Lookup(persistTag); {
		case fieldKind(f.Type) != "":
		case persists:
			yield(f, reflect.NewAt(f.Type, v.Field(k).Addr().UnsafePointer()).Elem())
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			stateFields(v.Field(k), yield)
		}
	}
}

// hidesPersistent reports whether a field's struct has fields with the tag persist, where [stateFields] does not look.
func hidesPersistent(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for k := range t.NumField() {
		f := t.Field(k)
		if _, persists := f.Tag.Lookup(persistTag); persists || hidesPersistent(f.Type) {
			return true
		}
	}
	return false
}

// restoring puts values of an earlier run into a block.
type restoring struct {
	i     *port.Instance
	given port.Given
	lists []keptList // of state fields, which Setup may make again
}

// keptList is a restored slice of a state field.
type keptList struct {
	info  *port.Parameter
	value reflect.Value
	at    unsafe.Pointer // of its elements
	cdr   []byte
}

// restore finds what outlives the run of the block in the struct v, and gives it the values of an earlier run.
func (in *inspector) restore(i *port.Instance, v reflect.Value, given port.Given) *restoring {
	r := &restoring{i: i, given: given}
	for _, p := range i.Params {
		if p.Persist {
			i.Persistent = append(i.Persistent, p)
			r.parameter(p)
		}
	}
	stateFields(v, func(f reflect.StructField, value reflect.Value) {
		info := port.NewParameter(port.Parameter{
			Name: nameOf(f), Doc: docOf(f, v, nil), Unit: unitOf(f, v, nil), Persist: true, Min: math.Inf(-1), Max: math.Inf(1),
			Type: in.typeOf(f.Type, i, f.Name, false),
		}, value.Addr().Interface(), -port.MaxMagnitude, port.MaxMagnitude)
		i.Persistent = append(i.Persistent, info)
		r.state(info, value)
	})
	for name := range given.Kept {
		if !slices.ContainsFunc(i.Persistent, func(p *port.Parameter) bool { return p.Name == name }) {
			r.note(name, fmt.Sprintf("%s keeps no value of this name", i.Type))
		}
	}
	return r
}

func (r *restoring) note(name, why string) {
	r.i.Restored = append(r.i.Restored, port.Restored{Name: name, Why: why})
}

// renote replaces what became of a value.
func (r *restoring) renote(name, why string) {
	r.i.Restored = slices.DeleteFunc(r.i.Restored, func(n port.Restored) bool { return n.Name == name })
	r.note(name, why)
}

// parameter restores a parameter, whose length the configuration decides.
func (r *restoring) parameter(p *port.Parameter) {
	kept, ok := r.given.Kept[p.Name]
	if !ok {
		return
	}
	value := reflect.ValueOf(p.Pointer()).Elem()
	stated, explicit := r.given.Params[p.Name]
	length := -1
	if p.Spread && value.Kind() == reflect.Slice && value.Len() <= 1 {
		length = listLength(kept)
	}
	cdr, err := readKept(p, value, kept, length)
	if err != nil {
		r.note(p.Name, fmt.Sprintf("its kept value is not used: %v", err))
		return
	}
	was, _ := schema.LayoutOf(value)
	before := make([]byte, was.Size())
	before = before[:was.Encode(before, value.Addr().UnsafePointer())]
	switch same := slices.Equal(before, cdr); {
	case same:
		r.note(p.Name, "")
		return
	case slices.Contains(r.given.ThisRun, p.Name):
		r.note(p.Name, fmt.Sprintf("it is %v as --param states, not %v as it was kept", stated, kept.Value))
		return
	case explicit:
		r.note(p.Name, fmt.Sprintf("it is %v as it was kept, not %v as the file states", kept.Value, stated))
	default:
		r.note(p.Name, "")
	}
	decodeKept(value, cdr, length)
}

// state restores a state field; a slice gets the kept length.
func (r *restoring) state(info *port.Parameter, value reflect.Value) {
	kept, ok := r.given.Kept[info.Name]
	if !ok {
		return
	}
	length := -1
	if value.Kind() == reflect.Slice {
		length = listLength(kept)
	}
	cdr, err := readKept(info, value, kept, length)
	if err != nil {
		r.note(info.Name, fmt.Sprintf("its kept value is not used: %v", err))
		return
	}
	decodeKept(value, cdr, length)
	r.note(info.Name, "")
	if value.Kind() == reflect.Slice {
		r.lists = append(r.lists, keptList{info, value, value.UnsafePointer(), cdr})
	}
}

// afterSetup gives slices that Setup has made again their kept elements, completes the descriptions, and leaves out what the block does
// not keep in this configuration.
func (r *restoring) afterSetup(s *Setup) {
	for _, l := range r.lists {
		if l.value.UnsafePointer() == l.at && l.value.Len() > 0 {
			continue
		}
		layout, _ := schema.LayoutOf(l.value)
		if err := layout.Decode(l.value.Addr().UnsafePointer(), l.cdr); err != nil {
			r.renote(l.info.Name, fmt.Sprintf("its kept value is not used: it has another number of elements than the %d that the block has now", l.value.Len()))
		}
	}
	r.i.Persistent = slices.DeleteFunc(r.i.Persistent, func(p *port.Parameter) bool {
		at := slices.IndexFunc(s.unkept, func(o unkept) bool { return o.field == p.Pointer() })
		if _, kept := r.given.Kept[p.Name]; at >= 0 && kept {
			r.renote(p.Name, "its kept value is not used: "+s.unkept[at].why)
		}
		return at >= 0
	})
	for _, p := range r.i.Persistent {
		p.Layout, _ = schema.LayoutOf(reflect.ValueOf(p.Pointer()).Elem())
	}
	slices.SortStableFunc(r.i.Restored, func(a, b port.Restored) int { return strings.Compare(a.Name, b.Name) })
}

func listLength(kept port.Kept) int {
	list, _ := kept.Value.([]any)
	return len(list)
}

// readKept returns a kept value as CDR; an error where it does not fit into the field value. A length of 0 or more is that of the slice
// there, instead of its own.
func readKept(p *port.Parameter, value reflect.Value, kept port.Kept, length int) ([]byte, error) {
	if is := p.Type.Short(); kept.Type != is {
		return nil, fmt.Errorf("it is of type %s, and was kept as %s", is, kept.Type)
	}
	layout, err := keptLayout(value, length)
	if err != nil {
		return nil, err
	}
	cdr, err := layout.FromValue(kept.Value)
	if err != nil {
		return nil, err
	}
	probe := *p
	probe.Layout = layout
	return cdr, probe.Check(cdr)
}

// keptLayout returns the layout of a field; with a length of 0 or more, that of a slice of this length.
func keptLayout(value reflect.Value, length int) (*schema.Layout, error) {
	if length >= 0 {
		_, per := mustType(value.Type()).Elem().Flat()
		return mustType(value.Type()).Layout(length / per), nil
	}
	return schema.LayoutOf(value)
}

// mustType describes a type that checkType has accepted.
func mustType(t reflect.Type) *schema.Type {
	described, _ := schema.Of(t)
	return described
}

// decodeKept puts CDR that readKept has returned into the field.
func decodeKept(value reflect.Value, cdr []byte, length int) {
	layout, _ := keptLayout(value, length)
	if length >= 0 {
		n := layout.Lengths()[0]
		value.Set(reflect.MakeSlice(value.Type(), n, n))
	}
	_ = layout.Decode(value.Addr().UnsafePointer(), cdr)
}
