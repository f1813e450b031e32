package system_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/net/system"
)

// compile returns the published schema, or one of its definitions.
func compile(t *testing.T, fragment string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(system.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("system.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("system.schema.json" + fragment)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// plain reads YAML as the JSON that it stands for.
func plain(t *testing.T, text []byte) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	v, err = jsonschema.UnmarshalJSON(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSchemaTakesTheFilesOfTheProject(t *testing.T) {
	for fragment, patterns := range map[string][]string{
		"":                {"testdata/crane.yaml", "../../examples/foreign/fo*.yaml", "../../examples/janus/janus*.yaml", "../../examples/row/row.yaml"},
		"#/$defs/overlay": {"../../examples/janus/activities.yaml", "../../examples/foreign/two-*.yaml"},
		"#/$defs/group":   {"testdata/arm/*.yaml"},
	} {
		s := compile(t, fragment)
		for _, pattern := range patterns {
			paths, err := filepath.Glob(pattern)
			if err != nil || len(paths) == 0 {
				t.Errorf("%s: no such files (%v)", pattern, err)
			}
			for _, path := range paths {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Validate(plain(t, text)); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
		}
	}
}

func TestSchemaTakesEveryKey(t *testing.T) {
	const text = `
system: all
description: words
include: [arm.yaml, hand/hand.yaml]
threads: {a: {period: 1.5ms, priority: 90, cpu: 1, spin: 20us, on_fault: stop}, c: {period: 3ms, offset: 1ms, follow: a}, b: {triggered: true}}
blocks:
  x: {type: rig.Wave, thread: a, every: 2, offset: 1, params: {amplitude: 2 rad}}
  y: {run: [python3, y.py, 3], in: [u], out: [v]}
levels: 2
groups:
  g: {include: g.yaml, level: 1, params: {side: left}}
  h:
    level: 0
    levels: 3
    description: words
    params: {gain: 2}
    blocks: {z: {type: rig.Gain, level: 2}}
    groups: {i: {groups: {j: {include: j.yaml}}}}
    links: [z.out -> i.j.in]
    ports: {out: z.out}
links: [x.out -> y.u, {link: "y.v -> g.in", every: 2, delay: true, buffer: 3, max_rate: 0.5, timeout: 50ms, overflow: drop_newest, encode: {quantized: {min: -1, max: 1, bits: 8}}, priority: 5}]
record: {file: a.mcap, ports: ["x.*"], every: 3, keep: 4}
script: moves.star
metrics: "127.0.0.1:9100"
nats: {url: "tls://one.example.org,tls://two.example.org:4222", credentials: site.creds, ca: site.pem}
deploy:
  hosts: {here: local, there: {ssh: robot@there, bridge: {priority: 80, cpu: 2}}}
  processes: {p: {host: there, threads: [a], needs: [main], restart: on_failure}, y: {run: [y], priority: 50, cpu: 1}}
`
	if err := compile(t, "").Validate(plain(t, []byte(text))); err != nil {
		t.Error(err)
	}
}

func TestSchemaRefusesWrongFiles(t *testing.T) {
	s := compile(t, "")
	for _, text := range []string{
		"threads: {}",                             // no name
		"system: a b",                             // no name either
		"system: a\nthread: {}",                   // no such key
		"{system: a, blocks: {x: {}}}",            // no type
		"{system: a, threads: {t: 10}}",           // no mapping
		"{system: a, threads: {t: {period: 10}}}", // no unit
		"{system: a, threads: {t: {period: 10ms, on_fault: halt}}}", // no such policy
		"{system: a, threads: {t: {priority: 100}}}",                // above 99
		"{system: a, deploy: {processes: {p: {run: [x], priority: 100}}}}",
		"{system: a, deploy: {hosts: {h: {ssh: h, bridge: {cpu: -1}}}}}",
		"{system: a, blocks: {x: {type: T, every: 0}}}",                  // below 1
		"{system: a, blocks: {x: {type: T, run: [a]}}}",                  // two things at once
		"{system: a, groups: {g: {}}}",                                   // nothing in it
		"{system: a, groups: {g: {blocks: {x: {}}}}}",                    // no type
		"{system: a, groups: {g: {include: g.yaml, blocks: {}}}}",        // two things at once
		"{system: a, groups: {g: {blocks: {}, ports: {in: x}}}}",         // no port
		"{system: a, groups: {g: {blocks: {}, threads: {}}}}",            // no such key
		"{system: a, links: [a.b]}",                                      // one end
		"{system: a, links: [{every: 2}]}",                               // no end
		"{system: a, links: [{link: a.b -> c.d, overflow: all}]}",        // no such policy
		"{system: a, links: [{link: a.b -> c.d, timeout: 50}]}",          // no unit
		"{system: a, deploy: {hosts: {h: remote}}}",                      // not local, no ssh
		"{system: a, deploy: {processes: {p: {restart: sometimes}}}}",    // no such policy
		"{system: a, deploy: {processes: {p: {run: [a], threads: []}}}}", // two things at once
		"{system: a, levels: 0}",                                         // below 1
		"{system: a, blocks: {x: {type: T, level: -1}}}",                 // below 0
		"{system: a, groups: {g: {include: g.yaml, levels: 2}}}",         // the file declares them
		"{system: a, include: arm.yaml}",                                 // no list
		"{include: [arm.yaml]}",                                          // no name
		"{system: a, nats: {credentials: a.creds}}",                      // no url
		"{system: a, nats: {url: example.org}}",                          // no scheme
		"{system: a, metrics: 127.0.0.1}",                                // no port
	} {
		if s.Validate(plain(t, []byte(text))) == nil {
			t.Errorf("the schema takes %s", text)
		}
	}
}
