// Package decimal recognizes numbers that were written with a decimal comma, as 0,5, where a file wants a decimal point.
package decimal

import "regexp"

// comma takes "-1,5", "1,5e3" and "0,5 ms" apart.
var comma = regexp.MustCompile(`^([-+]?[0-9]+),([0-9]+(?:[eE][-+]?[0-9]+)?(?: *[^-+0-9.,\s][^,]*)?)$`)

// Point returns text with a point in place of its decimal comma. The text is a number, alone or with a unit behind it; ok is false for any other text.
func Point(text string) (number string, ok bool) {
	m := comma.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	return m[1] + "." + m[2], true
}

// Remedy returns how a number with a decimal comma is written, as the end of a message: ": write 0.5, with a point in place of the comma". It returns ""
// for any other text.
func Remedy(text string) string {
	number, ok := Point(text)
	if !ok {
		return ""
	}
	return ": write " + number + ", with a point in place of the comma"
}
