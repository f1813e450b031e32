package files

import (
	"encoding/json"
	"reflect"
	"testing"

	"go.yaml.in/yaml/v4"
)

// FuzzPanel checks that what can be written as YAML reads back equal.
func FuzzPanel(f *testing.F) {
	f.Add([]byte(`{"a":[1,"x",null,true,{"b":1.5e3}]}`))
	f.Add([]byte(`{"a":{"b":{"c":[[[]]]}},"":"","yes":"no","1":"~","n":"0x1p3"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
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
	})
}

func TestNumbersThatJSONLacksBecomeText(t *testing.T) {
	var panel any
	if err := yaml.Unmarshal([]byte("{a: .nan, b: [.inf, -.inf, 1.5]}"), &panel); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(jsonOf(panel, 0))
	if want := `{"a":"NaN","b":["+Inf","-Inf",1.5]}`; err != nil || string(data) != want {
		t.Errorf("%s, %v; wants %s", data, err, want)
	}
}
