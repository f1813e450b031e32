package nats_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	gonats "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/admintest"
	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/admin/request"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

// bare connects to a hub as any client of NATS does.
func bare(t *testing.T, system string) *gonats.Conn {
	t.Helper()
	f := addressFile(t, system)
	conn, err := gonats.Connect("", overSocket(f.Socket), gonats.Token(f.Token))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

// TestRequestsOfTheControlPlanePageWorkWithAnyNATSClient does what docs/reference/control-plane.md shows, and what a client should not do.
func TestRequestsOfTheControlPlanePageWorkWithAnyNATSClient(t *testing.T) {
	ownFolder(t)
	serve(t, "test", admintest.Plant(t, "plant.source"))
	conn := bare(t, "test")
	ask := func(method, payload string, header gonats.Header) (data, code string) {
		t.Helper()
		m, err := conn.RequestMsg(&gonats.Msg{Subject: "sinew.test.main." + method, Data: []byte(payload), Header: header}, testkit.Patience())
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		return string(m.Data), m.Header.Get(micro.ErrorCodeHeader)
	}
	for _, c := range []struct{ method, payload, answer, code string }{
		{"param", `{"ref":"plant.source.gain"}`, "1", ""},
		{"set", `{"ref":"plant.source","named":{"gain":2}}`, "null", ""},
		{"param", `{"ref":"plant.source.gain"}`, "2", ""},
		{"param", `{"ref":"plant.source.limit"}`, `"+Inf"`, ""},
		{"call", `{"ref":"plant.source.move","args":[[1,2],3]}`, "6", ""},
		{"set", `{"ref":"plant.source","named":{"gain":"NaN"}}`, `plant.source.gain`, "400"},
		{"set", `{"ref":"plant.source","named":{"gain":-1,"size":0}}`, `size`, "400"},
		{"read", `{"ref":"plant.sourse.out"}`, `plant.source`, "400"},
		{"read", `{"ref":7}`, `member \"ref\": wants string, not number`, "400"},
		{"read", `nonsense`, "no JSON object: byte 2", "400"},
		{"read", `{"ref":"plant.source.out","every":2}`, `no member \"every\"`, "400"},
		{"read", `{"system":"test","ref":"plant.source.out"}`, `"count":`, ""},
		{"read", `{"system":"other","ref":"plant.source.out"}`, `names the system \"other\"`, "400"},
		{"read", ``, "wants block.name", "400"},
		{"set", `{"ref":"plant.source"}`, "the member named", "400"},
		{"set", `{"ref":"plant.source","named":{}}`, "null", ""},
		{"tap", `{"client":"me","taps":[{"id":1,"ref":"` + strings.Repeat("x", 600) + `.y"},{"id":2,"ref":"plant.source.uot"}]}`, "602 bytes", ""},
		{"tap", `{"client":"me","taps":[{"id":2,"ref":"plant.source.uot"}]}`, `has no port`, ""},
		{"tap", `{"client":"me"}`, `{"run":""}`, ""},
		{"tap", `{"client":"a.b"}`, `letters, digits`, "400"},
		{"read", strings.Repeat(" ", request.MaxBytes-10), "JSON", "400"},
	} {
		if data, code := ask(c.method, c.payload, nil); code != c.code || !strings.Contains(data, c.answer) {
			t.Errorf("%s %.60s: %s, code %q; wants %s, code %q", c.method, c.payload, data, code, c.answer, c.code)
		}
	}
	if data, code := ask("time", "", gonats.Header{"Sinew-Protocol": {"99"}}); code != "426" || !strings.Contains(data, "use the same sinew on both sides") {
		t.Errorf("another version: %s, code %q", data, code)
	}
	m, err := conn.Request("$SRV.PING.sinew", nil, testkit.Patience())
	if err != nil {
		t.Fatal(err)
	}
	var p micro.Ping
	if err := json.Unmarshal(m.Data, &p); err != nil || p.Metadata["system"] != "test" || p.Metadata["process"] != "main" || p.Metadata["host"] != "here" {
		t.Errorf("the service answers %s, %v", m.Data, err)
	}

	samples, err := conn.SubscribeSync("sinew.test.main.tap.me")
	if err != nil {
		t.Fatal(err)
	}
	if data, code := ask("tap", `{"client":"me","taps":[{"id":7,"ref":"plant.source.wide","every":5}]}`, nil); code != "" {
		t.Fatal(data)
	}
	var message struct {
		Run     string
		Seq     int
		Samples [][]any
	}
	if m, err = samples.NextMsg(testkit.Patience()); err != nil || json.Unmarshal(m.Data, &message) != nil {
		t.Fatalf("samples: %v, %v", m, err)
	}
	if s := message.Samples[0]; message.Run == "" || message.Seq != 0 || s[0] != 7.0 || fmt.Sprint(s[3]) != "[NaN +Inf]" {
		t.Errorf("samples %s", m.Data)
	}
	if data, _ := ask("tap", `{"client":"me"}`, nil); !strings.Contains(data, message.Run) {
		t.Errorf("prolonged: %s", data)
	}
	ask("untap", `{"client":"me","ids":[7]}`, nil)
	if data, _ := ask("tap", `{"client":"me"}`, nil); data != `{"run":""}` {
		t.Errorf("without taps: %s", data)
	}
}

// TestProcessesOfAnotherVersionAreShownWithAProblem has a process of another version beside one of this.
func TestProcessesOfAnotherVersionAreShownWithAProblem(t *testing.T) {
	ownFolder(t)
	ctx := context.Background()
	hub := openHub(t, "test")
	both := []string{"a", "b"}
	join(t, hub.Address(), nats.Identity{System: "test", Process: "a", Processes: both}, admintest.Plant(t, "one"))
	service, err := micro.AddService(bare(t, "test"), micro.Config{Name: "sinew", Version: "2.0.0",
		Metadata: map[string]string{"system": "test", "process": "b", "processes": "a,b", "protocol": "2", "version": "9.9"}})
	if err != nil {
		t.Fatal(err)
	}
	defer service.Stop()
	c := dialed(t)(nats.Dial("test"))
	if _, err := c.Read(ctx, "one.out"); err != nil {
		t.Error(err)
	}
	s, err := c.Structure(ctx)
	if err != nil || !strings.Contains(s.Processes[1].Problem, "use the same sinew on both sides") || !strings.Contains(s.Processes[1].Problem, "9.9") {
		t.Errorf("structure %+v, %v", s, err)
	}
}

// TestClientWaitsForTheProcessThatItLooksFor lets a process answer long after another one, as on a busy machine.
func TestClientWaitsForTheProcessThatItLooksFor(t *testing.T) {
	ownFolder(t)
	hub := openHub(t, "test")
	join(t, hub.Address(), nats.Identity{System: "test", Process: "a", Processes: []string{"a", "b"}}, admintest.Plant(t, "one"))
	_, err := bare(t, "test").Subscribe("$SRV.PING.sinew", func(m *gonats.Msg) {
		time.Sleep(300 * time.Millisecond)
		_ = m.Respond([]byte(`{"metadata": {"system": "test", "process": "b", "processes": "a,b", "protocol": "1"}}`))
	})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Await(t, "a client of the slow process", func() bool {
		c, err := nats.Dial("test.b")
		return err == nil && c.Close() == nil
	})
}

// TestClientFollowsEventsAndLogLines follows the events and log lines of a system.
func TestClientFollowsEventsAndLogLines(t *testing.T) {
	ownFolder(t)
	ctx := context.Background()
	server := serve(t, "test", admintest.Plant(t, "plant.source"))
	c := dialed(t)(nats.Dial("test"))
	var mu sync.Mutex
	var events, lines []string
	has := func(list *[]string, words string) func() bool {
		return func() bool {
			mu.Lock()
			defer mu.Unlock()
			return strings.Contains(strings.Join(*list, "\n"), words)
		}
	}
	endEvents, err := c.FollowEvents(func(e admin.Event) {
		mu.Lock()
		defer mu.Unlock()
		events = append(events, fmt.Sprintf("%s %s %s %s, by %s", e.Process, e.Kind, e.Ref, e.Text, e.Actor))
	})
	if err != nil {
		t.Fatal(err)
	}
	endLogs, err := c.FollowLogs(func(l admin.LogLine) {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, fmt.Sprintf("%d %d %.20s", l.Seq, len(l.Text), l.Text))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.SetParams(ctx, "plant.source", map[string]any{"gain": 3.0}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Call(ctx, "plant.source.fail", nil, nil); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(server.Log(), "first\nsec")
	log := server.Log()
	fmt.Fprint(log, "second", "\n", strings.Repeat("x", 10000), "\n")
	testkit.Await(t, "the change", has(&events, `main set plant.source {"named":{"gain":3},"was":{"gain":1}}, by `))
	testkit.Await(t, "the fault", has(&events, "main fault plant.source"))
	testkit.Await(t, "the lines", has(&lines, "1 5 first\n2 6 second\n3 4096 xxxxxxxxxxxxxxxxxxxx"))
	endEvents()
	endLogs()
}

// TestLargeStructuresArriveCompressed asks for a structure that is larger than a message may be: it comes packed.
func TestLargeStructuresArriveCompressed(t *testing.T) {
	ownFolder(t)
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "main", Period: 100 * time.Millisecond})
	const blocks = 1800
	for i := range blocks {
		d.Add(fmt.Sprint("block", i), &admintest.Source{Limit: block.NewConst(1.0)}, diagram.Place{Thread: "main"})
	}
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(net, thread.Options{})
	done := make(chan error, 1)
	go func() { done <- core.Run(context.Background(), nil) }()
	t.Cleanup(func() { core.Stop(); <-done })
	serve(t, "test", admin.NewLocal(core.Front(), nil))
	s, err := dialed(t)(nats.Dial("test")).Structure(context.Background())
	if err != nil || len(s.Blocks) != blocks {
		t.Fatalf("%v", err)
	}
	if m, err := bare(t, "test").Request("sinew.test.main.structure", nil, testkit.Patience()); err != nil || m.Header.Get(micro.ErrorCodeHeader) != "413" {
		t.Errorf("unpacked: %v", err)
	}
}
