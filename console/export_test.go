package console

import (
	"encoding/json"
	"reflect"
	"testing"

	"go.yaml.in/yaml/v4"
)

// CheckPanelSurvives checks that what can be written as YAML reads back equal.
func CheckPanelSurvives(t *testing.T, text []byte) {
	if !json.Valid(text) {
		return
	}
	out, err := yamlOf(text)
	if err != nil {
		return
	}
	var want, got any
	if err := json.Unmarshal(text, &want); err != nil {
		return
	}
	if err := yaml.Unmarshal(out, &got); err != nil {
		t.Fatalf("%s became %q: %v", text, out, err)
	}
	data, err := json.Marshal(jsonOf(got, 0))
	if err != nil {
		t.Fatalf("%s became %q: %v", text, out, err)
	}
	got = nil
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("%s became %q, which is %v", text, out, got)
	}
}

// CheckCoachLine checks that a line that is understood has what its verb needs.
func CheckCoachLine(t *testing.T, text string) {
	l, err := parseCoachLine(text)
	if err != nil {
		return
	}
	form := coachForm[l.verb]
	if len(l.indices) != form.indices || form.figures >= 0 && len(l.figures) != form.figures {
		t.Fatalf("%q became %+v", text, l)
	}
	if l.verb == placeBody || l.verb == placeShape {
		if f := l.frame(); f.P != [3]float64(l.figures[:3]) {
			t.Fatalf("%q became %+v", text, f)
		}
	}
}
