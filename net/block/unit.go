package block

import (
	"reflect"
	"regexp"
	"strings"
)

// unitField is a field in a tag unit whose value is the unit or a part of it: unit:"{Coordinate}/s".
var unitField = regexp.MustCompile(`\{(\w*)\}`)

// unitOf returns the unit of a field of a block, with the values of the constants that its tag names. given are the values of the
// parameters that the block has not got yet.
func unitOf(f reflect.StructField, block reflect.Value, given map[string]any) string {
	tag := f.Tag.Get("unit")
	if !strings.Contains(tag, "{") { // nearly all: a net has up to 400,000 ports
		return tag
	}
	return unitField.ReplaceAllStringFunc(tag, func(braces string) string {
		name := braces[1 : len(braces)-1]
		from, _ := block.Type().FieldByName(name)
		unit := block.FieldByName(name).Addr().Interface().(*Const[string])
		if text, ok := given[nameOf(from)].(string); ok {
			return text
		}
		if unit.Value() == "" {
			return from.Tag.Get("default")
		}
		return unit.Value()
	})
}
