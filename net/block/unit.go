package block

import (
	"reflect"
	"regexp"
	"strings"
)

// unitField is a field in a tag unit or doc whose value is the unit or a part of it: unit:"{Coordinate}/s". With .force or .inertia it is the unit of what
// belongs to that coordinate.
var unitField = regexp.MustCompile(`\{(\w*)(?:\.(force|inertia))?\}`)

// belonging returns the unit of the force or inertia along a coordinate, so that force times coordinate is an energy: N m for rad, N for m.
func belonging(what, coordinate string) string {
	switch what + " " + coordinate {
	case "force rad":
		return "N m"
	case "force m":
		return "N"
	case "force " + coordinate:
		return "J/" + coordinate
	case "inertia rad":
		return "kg m²"
	case "inertia m":
		return "kg"
	case "inertia " + coordinate:
		return "J s²/" + coordinate + "²"
	}
	return coordinate
}

// unitOf returns the unit of a field of a block, with the values of the constants that its tag names. given are the values of the
// parameters that the block has not got yet.
func unitOf(f reflect.StructField, block reflect.Value, given map[string]any) string {
	return withUnits(f.Tag.Get("unit"), block, given)
}

// docOf returns what a field of a block means, with the values of the constants that its tag names.
func docOf(f reflect.StructField, block reflect.Value, given map[string]any) string {
	return withUnits(f.Tag.Get("doc"), block, given)
}

// withUnits puts values in the place of constants in braces; other words in braces stay.
func withUnits(text string, block reflect.Value, given map[string]any) string {
	if !strings.Contains(text, "{") { // nearly all: a net has up to 400,000 ports
		return text
	}
	return unitField.ReplaceAllStringFunc(text, func(braces string) string {
		name, what, _ := strings.Cut(braces[1:len(braces)-1], ".")
		from, _ := block.Type().FieldByName(name)
		if from.Type != reflect.TypeFor[Const[string]]() {
			return braces
		}
		unit := from.Tag.Get("default")
		if text, ok := given[nameOf(from)].(string); ok {
			unit = text
		} else if own := block.FieldByName(name).Addr().Interface().(*Const[string]).Value(); own != "" {
			unit = own
		}
		return belonging(what, unit)
	})
}
