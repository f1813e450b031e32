package console_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// FuzzRequest sends what a page that is not ours could: it must be answered, and nothing may fail inside.
func FuzzRequest(f *testing.F) {
	for method, data := range map[string]string{
		"read": `{"system":"test","ref":"a.out"}`, "set": `{"system":"test","ref":"a","named":{"gain":"+Inf"}}`,
		"feed": `{"system":"test","ref":"a.in","value":[1,{"x":"NaN"}]}`, "call": `{"system":"test","ref":"a.add","args":[1],"named":{"value":2}}`,
		"watch": `{"system":"test","rate":1e-9,"signals":[{"ref":"a.wide","element":"0.x.9999999999999999999"}]}`, "unwatch": `{"id":""}`,
		"net.check": `{"system":"test","text":"a: &a [*a]"}`, "panels.put": `{"system":"test","name":"\u0000","panel":{}}`,
		"types": `{"type":"console_test.source","params":{"gain":[[1e400]]}}`, "fk": `{"system":"test","robot":"a","q":[1e308]}`,
		"record.read": `{"system":"test","id":"","from_ns":-9223372036854775808,"to_ns":9223372036854775807,"points":-1}`,
		"log":         `{"after":18446744073709551615}`, "enable": `{"system":"test","ref":"","value":true}`, "systems": `null`, "param": `[]`,
	} {
		f.Add(method, []byte(data))
	}
	local, _ := runFile(f, testFile)
	r := open(f, local, withBlocks)
	p := r.page("")
	f.Fuzz(func(t *testing.T, method string, data []byte) {
		if method == "stop" {
			return
		}
		if method == "" || strings.ContainsAny(method, " \t\r\n*>\x00") || strings.Contains("."+method+".", "..") || len(data) > 64<<10 {
			return // no subject
		}
		m, err := p.Request("c."+p.id+"."+method, data, testkit.Patience())
		if err != nil {
			t.Fatalf("%s %q: %v", method, data, err)
		}
		if !json.Valid(m.Data) {
			t.Fatalf("%s %q: %q", method, data, m.Data)
		}
		if strings.Contains(string(m.Data), "panic in") {
			t.Fatalf("%s %q: %s\n%s", method, data, m.Data, r.journal)
		}
	})
}

// FuzzHTTP sends what a stranger could: without a login nothing but the page to sign in is shown.
func FuzzHTTP(f *testing.F) {
	f.Add("GET", "/robot/test/a/mesh/0/../../x", "Origin", "null")
	f.Add("POST", "/login?token=x", "Cookie", "sinew-1=x; sinew-2=")
	f.Add("CONNECT", "/nats", "Upgrade", "websocket")
	f.Add("OPTIONS", "//evil.example/..", "X-Forwarded-Host", "evil.example")
	r := open(f, run(f, time.Millisecond, "a"))
	f.Fuzz(func(t *testing.T, method, path, header, value string) {
		q, err := http.NewRequest(method, r.base, nil)
		if err != nil {
			return
		}
		q.URL.Opaque = "/" + strings.TrimPrefix(path, "/")
		q.Header[header] = []string{value}
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		a, err := client.Do(q)
		if err != nil {
			return // no request, or refused by the server's reader
		}
		defer a.Body.Close()
		if a.StatusCode < 400 {
			t.Fatalf("%s %q %s: %q: %d", method, path, header, value, a.StatusCode)
		}
	})
}
