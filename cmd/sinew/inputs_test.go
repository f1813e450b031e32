package main

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/parts/torque"
)

// An input of a control law that is not linked is an error, or its description states what then happens.
func TestInputsOfControlLawsAreRequiredOrStateTheirDefault(t *testing.T) {
	seen := 0
	for _, e := range slices.Concat(torque.Blocks(), servo.Blocks()) {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(e.New()).Elem()) {
			kind := f.Type
			if kind.Kind() == reflect.Slice {
				kind = kind.Elem()
			}
			if f.Anonymous || !strings.HasPrefix(kind.Name(), "In[") || !f.IsExported() {
				continue
			}
			seen++
			if f.Tag.Get("required") != "yes" && !strings.Contains(f.Tag.Get("doc"), "without a link") {
				t.Errorf("%s: %s is not required, and its doc %q does not state what happens without a link", e.Type, f.Name, f.Tag.Get("doc"))
			}
		}
	}
	if seen < 40 {
		t.Errorf("only %d inputs found", seen)
	}
}

// Controllers need what they follow, and the weight that they hold.
func TestControllersNeedWhatTheyFollow(t *testing.T) {
	for _, b := range []block.Block{&torque.ComputedTorque{}, &torque.Impedance{}, &torque.PID{}, &servo.Admittance{}} {
		for _, name := range []string{"Desired", "Gravity"} {
			if f, ok := reflect.TypeOf(b).Elem().FieldByName(name); ok && f.Tag.Get("required") != "yes" {
				t.Errorf("%T: %s is not required", b, name)
			}
		}
	}
}
