package record

import (
	"strings"
	"testing"
)

func TestPatternSelectsVectorsElementsAndRanges(t *testing.T) {
	names := []string{"arm.position[0]", "arm.position[1]", "arm.position[2]", "arm.position[10]", "arm.pose.x", "joint1.ref", "joint12.ref", "arm2.position[0]"}
	for pattern, want := range map[string]string{
		"arm.position":        "arm.position[0] arm.position[1] arm.position[2] arm.position[10]",
		"arm.position[*]":     "arm.position[0] arm.position[1] arm.position[2] arm.position[10]",
		"arm.position[1]":     "arm.position[1]",
		"arm.position[0:2]":   "arm.position[0] arm.position[1]",
		"arm.position[0, 10]": "arm.position[0] arm.position[10]",
		"arm*.position[0:1]":  "arm.position[0] arm2.position[0]",
		"arm.pose":            "arm.pose.x",
		"joint?.ref":          "joint1.ref",
		"joint*":              "joint1.ref joint12.ref",
		"arm":                 "arm.position[0] arm.position[1] arm.position[2] arm.position[10] arm.pose.x",
		"arm.pos":             "",
		"arm.position[3:9]":   "",
	} {
		p, err := ParsePattern(pattern)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range names {
			if p.Match(n) {
				got = append(got, n)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s selects %v, want %s", pattern, got, want)
		}
	}
	for pattern, want := range map[string]string{"a[0": "does not close", "a0]": "does not open", "a[2:1]": "nor a range", "a[x]": "neither an element", "": "empty"} {
		if _, err := ParsePattern(pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", pattern, err, want)
		}
	}
	if (Pattern{}).Match("") {
		t.Error("the zero value selects something")
	}
}

func FuzzParsePattern(f *testing.F) {
	f.Add("arm.position[0:3]", "arm.position[1]")
	f.Add("[*]*?", "[1]ab")
	f.Fuzz(func(t *testing.T, pattern, signal string) {
		if p, err := ParsePattern(pattern); err == nil {
			p.Match(signal)
		}
	})
}
