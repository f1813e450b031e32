package nats_test

import (
	"encoding/json"
	"testing"

	gonats "github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin/admintest"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

// FuzzRequests sends anything to every method but stop: each request is answered in JSON, and the process lives on.
func FuzzRequests(f *testing.F) {
	for _, seed := range []string{``, `{}`, `{"ref":"plant.source.out"}`, `{"ref":"plant.source.in","value":[1,"NaN",{"x":null}]}`,
		`{"ref":"plant.source","named":{"gain":1e400,"size":-1}}`, `{"ref":"plant.source.move","args":[[1,2],3],"named":{"duration":1}}`,
		`{"client":"x","taps":[{"id":-1,"ref":"plant.source.tick","every":-1},{"ref":"x"}],"ids":[1,2]}`, `{"ref":".."}`, `{"ref":"plant.source.wide","value":{"a":{"b":[[[]]]}}}`, "\xff\x00"} {
		f.Add([]byte(seed))
	}
	methods := []string{"time", "structure", "statistics", "read", "feed", "release", "param", "set", "call", "reset", "tap", "untap"}
	f.Fuzz(func(t *testing.T, payload []byte) {
		ownFolder(t)
		serve(t, "test", admintest.Plant(t, "plant.source"))
		conn := bare(t, "test")
		for _, m := range methods {
			answer, err := conn.RequestMsg(&gonats.Msg{Subject: "sinew.test.main." + m, Data: payload, Header: gonats.Header{"Sinew-Protocol": {nats.Protocol}}}, testkit.Patience())
			if err != nil || !json.Valid(answer.Data) {
				t.Errorf("%s: %v", m, err)
			}
		}
	})
}
