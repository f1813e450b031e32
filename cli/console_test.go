package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/cli/candidate"
	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/console/systems"
	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/parts/flow"
)

// startConsole runs the command until the test ends and returns a function that asks the console as a page does.
func startConsole(t *testing.T, args ...string) (ask func(method string, args map[string]any) (any, string), end func() error) {
	t.Helper()
	return startConsoleWith(t, candidate.NewChecker(candidate.Deadline), args...)
}

// startConsoleWith is startConsole with a checker of candidates.
func startConsoleWith(t *testing.T, checker admin.Checker, args ...string) (ask func(method string, args map[string]any) (any, string), end func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	root := newRoot(block.NewRegistry(flow.Blocks()), checker)
	read, write := io.Pipe()
	root.SetArgs(args)
	root.SetOut(write)
	root.SetErr(io.Discard)
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(ctx); write.Close() }()
	lines := bufio.NewScanner(read)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "console: http://127.0.0.1:") {
		read.Close()
		cancel()
		t.Fatalf("first line %q, %v", lines.Text(), <-done)
	}
	go func() { _, _ = io.Copy(io.Discard, read) }()
	address, err := url.Parse(strings.TrimPrefix(lines.Text(), "console: "))
	if err != nil {
		t.Fatal(err)
	}
	conn, id := openPage(t, address)
	return func(method string, args map[string]any) (any, string) {
			data, _ := json.Marshal(args)
			m, err := conn.Request("c."+id+"."+method, data, testkit.Patience())
			if err != nil {
				t.Fatalf("%s: %v", method, err)
			}
			var answer struct {
				Result any
				Error  string
			}
			if err := json.Unmarshal(m.Data, &answer); err != nil {
				t.Fatal(err)
			}
			return answer.Result, answer.Error
		}, func() error {
			cancel()
			return <-done
		}
}

// openPage signs in and connects as a page does.
func openPage(t *testing.T, address *url.URL) (conn *nats.Conn, id string) {
	t.Helper()
	jar, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}
	for _, a := range []string{address.String(), "http://" + address.Host + "/api/session"} {
		answer, err := browser.Get(a)
		if err != nil {
			t.Fatal(err)
		}
		var session struct {
			NATS struct{ User, Pass string }
		}
		_ = json.NewDecoder(answer.Body).Decode(&session)
		answer.Body.Close()
		if id = session.NATS.User; id != "" {
			header := http.Header{"Origin": {"http://" + address.Host}}
			for _, c := range jar.Cookies(address) {
				header.Add("Cookie", c.String())
			}
			conn, err = nats.Connect("ws://"+address.Host, nats.ProxyPath("/nats"), nats.UserInfo(id, session.NATS.Pass),
				nats.WebSocketConnectionHeaders(header), nats.CustomInboxPrefix("_INBOX."+id), nats.NoReconnect())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(conn.Close)
		}
	}
	return conn, id
}

const countingFile = `system: counting
threads: {main: {period: 5ms}}
blocks:
  one: {type: flow.Constant, params: {value: [1]}}
  twice: {type: flow.Gain, params: {gain: [2]}}
links: [one.out -> twice.in]
`

// TestConsoleRestartsARunWithItsEditedFile edits a running system: it stops, its file changes, and it runs on under that.
func TestConsoleRestartsARunWithItsEditedFile(t *testing.T) {
	testkit.UserFolder(t)
	path := filepath.Join(t.TempDir(), "counting.yaml")
	if err := os.WriteFile(path, []byte(countingFile), 0o644); err != nil {
		t.Fatal(err)
	}
	ask, end := startConsole(t, "run", "--console", "--one-process", "--quiet", path)
	alive := func() bool {
		list, _ := ask("systems", nil)
		systems := list.([]any)
		return len(systems) == 1 && systems[0].(map[string]any)["alive"] == true
	}
	on := func(more ...any) map[string]any {
		m := map[string]any{"system": "counting"}
		for i := 0; i+1 < len(more); i += 2 {
			m[more[i].(string)] = more[i+1]
		}
		return m
	}
	value := func() any {
		r, _ := ask("read", on("ref", "twice.out"))
		if r == nil {
			return nil
		}
		return r.(map[string]any)["value"].([]any)[0]
	}
	testkit.Await(t, "the system", alive)
	testkit.Await(t, "a value", func() bool { return value() == 2.0 })
	if _, err := ask("net.put", on("text", strings.Replace(countingFile, "gain: [2]", "gain: [5]", 1))); err != "" {
		t.Fatal(err)
	}
	if _, err := ask("restart", on()); err != "" {
		t.Fatal(err)
	}
	testkit.Await(t, "the changed value", func() bool { return value() == 5.0 })
	if _, err := ask("stop", on()); err != "" {
		t.Fatal(err)
	}
	testkit.Await(t, "the end", func() bool { return !alive() })
	if err := os.WriteFile(path, []byte(strings.Replace(countingFile, "flow.Gain", "flow.Gian", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ask("start", on()); !strings.Contains(err, "flow.Gain") {
		t.Errorf("a broken file started: %q", err)
	}
	if got, _ := ask("net.get", on()); got == nil {
		t.Error("the file of a stopped system cannot be edited")
	}
	if _, err := ask("net.put", on("text", countingFile)); err != "" {
		t.Fatal(err)
	}
	if _, err := ask("start", on()); err != "" {
		t.Fatal(err)
	}
	testkit.Await(t, "the previous value", func() bool { return value() == 2.0 })
	if err := end(); err != nil {
		t.Error(err)
	}
}

func TestConsoleIsForWholeSystemsInRealTime(t *testing.T) {
	root := newRoot(block.NewRegistry(), nil)
	root.SetArgs([]string{"run", "--console", "--fast", "x.yaml"})
	if err := root.Execute(); err == nil || !strings.Contains(err.Error(), "--fast") {
		t.Error(err)
	}
}

func TestConsoleReportsASiteOutOfReach(t *testing.T) {
	testkit.UserFolder(t)
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	root := newRoot(block.NewRegistry(flow.Blocks()), candidate.NewChecker(candidate.Deadline))
	var errs bytes.Buffer
	read, write := io.Pipe()
	root.SetArgs([]string{"console", "--nats", "nats://" + nobody.Addr().String()})
	root.SetOut(write)
	root.SetErr(&errs)
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(ctx); write.Close() }()
	first, err := bufio.NewReader(read).ReadString('\n')
	go func() { _, _ = io.Copy(io.Discard, read) }()
	cancel()
	if end := <-done; err != nil || end != nil || !strings.HasPrefix(first, "console: ") {
		t.Fatalf("first line %q, %v, %v", first, err, end)
	}
	if got := errs.String(); !strings.HasPrefix(got, "notice: ") || !strings.Contains(got, nobody.Addr().String()) || !strings.Contains(got, "as soon as they can be reached") {
		t.Errorf("the console of a site that does not answer prints %q", got)
	}
}

func TestOutputOfACrashOutlivesTheNextStarts(t *testing.T) {
	testkit.UserFolder(t)
	folder, err := private.Folder()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		p := systems.Program{System: "lab", PID: os.Getpid(), Dir: t.TempDir(), Command: []string{"sh", "-c", fmt.Sprintf("echo panic %d; exit 2", i)}}
		if err := (reached{at: &live.Reach{}}).start(t.Context(), p); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("panic %d", i)) {
			t.Fatalf("start %d: %v", i, err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(folder, "started", "lab"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, e := range entries {
		text, err := private.Read(filepath.Join(folder, "started", "lab", e.Name()))
		if err != nil {
			t.Error(err)
		}
		got[e.Name()] = string(text)
	}
	want := map[string]string{"output.log": "panic 7\n", "output-7.log": "panic 6\n", "output-6.log": "panic 5\n", "output-5.log": "panic 4\n", "output-4.log": "panic 3\n"}
	if !maps.Equal(got, want) {
		t.Errorf("kept are %q, want %q", got, want)
	}
}
