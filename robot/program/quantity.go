package program

import (
	"fmt"
	"strconv"
	"strings"
)

// dimension is a kind of quantity: its units and their values in SI units, the first one being that of a bare number.
type dimension struct {
	name  string
	units []unit
}

type unit struct {
	name  string
	value float64
}

const degree = 3.14159265358979323846264338327950288 / 180

var (
	length       = &dimension{"a length", []unit{{"m", 1}, {"cm", 0.01}, {"mm", 0.001}}}
	angle        = &dimension{"an angle", []unit{{"rad", 1}, {"deg", degree}, {"°", degree}}}
	joint        = &dimension{"an angle or a length", []unit{{"rad", 1}, {"deg", degree}, {"°", degree}, {"m", 1}, {"cm", 0.01}, {"mm", 0.001}}}
	speed        = &dimension{"a speed", []unit{{"m/s", 1}, {"mm/s", 0.001}}}
	acceleration = &dimension{"an acceleration", []unit{{"m/s²", 1}, {"m/s^2", 1}, {"mm/s²", 0.001}, {"mm/s^2", 0.001}}}
	jerk         = &dimension{"a jerk", []unit{{"m/s³", 1}, {"m/s^3", 1}, {"mm/s³", 0.001}, {"mm/s^3", 0.001}}}
	turning      = &dimension{"an angular speed", []unit{{"rad/s", 1}, {"deg/s", degree}, {"°/s", degree}}}
	turningUp    = &dimension{"an angular acceleration", []unit{{"rad/s²", 1}, {"rad/s^2", 1}, {"deg/s²", degree}, {"deg/s^2", degree}, {"°/s²", degree}}}
	share        = &dimension{"a share of the joints' limits", []unit{{"", 1}, {"%", 0.01}}}
	duration     = &dimension{"a time", []unit{{"s", 1}, {"ms", 0.001}, {"min", 60}}}
	number       = &dimension{"a number", []unit{{"", 1}}}
)

// parse reads a number with an optional unit, and returns it in SI units with the unit as written.
func (d *dimension) parse(text string) (x float64, unit string, err error) {
	digits, unit := splitUnit(text)
	x, err = strconv.ParseFloat(digits, 64)
	if err != nil || x-x != 0 {
		return 0, "", fmt.Errorf("wants %s%s", d.name, d.example())
	}
	if unit == "" {
		return x, "", nil
	}
	for _, u := range d.units {
		if u.name == unit {
			return x * u.value, unit, nil
		}
	}
	return 0, "", fmt.Errorf("wants %s%s; it has the unit %q", d.name, d.example(), unit)
}

// splitUnit returns the digits of a number, with its sign and exponent, and its unit.
func splitUnit(text string) (digits, unit string) {
	text = strings.TrimSpace(text)
	rest := strings.TrimLeft(text, "+-0123456789.")
	if len(rest) > 1 && (rest[0] == 'e' || rest[0] == 'E') && strings.ContainsAny(rest[1:2], "+-0123456789") {
		rest = strings.TrimLeft(rest[1:], "+-0123456789")
	}
	return strings.TrimSpace(text[:len(text)-len(rest)]), strings.TrimSpace(rest)
}

// example lists the units.
func (d *dimension) example() string {
	var names []string
	for _, u := range d.units {
		if u.name != "" && !strings.Contains(u.name, "^") {
			names = append(names, u.name)
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case d.units[0].name == "":
		return ", as 0.5 or 50 " + names[0]
	}
	return fmt.Sprintf(" in %s; without a unit it counts in %s", strings.Join(names, ", "), d.units[0].name)
}
