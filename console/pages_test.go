package console

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// ask sends a GET for a page with a header, given as pairs of name and value.
func ask(dist fs.FS, path string, header ...string) *http.Response {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	answer := httptest.NewRecorder()
	pages(dist).ServeHTTP(answer, r)
	return answer.Result()
}

func textOf(r *http.Response) string {
	data, _ := io.ReadAll(r.Body)
	return string(data)
}

func TestUnbuiltPagesAreExplainedAtTheEntryOnly(t *testing.T) {
	unbuilt := fstest.MapFS{".keep": {}}
	built := fstest.MapFS{"index.html": {Data: []byte("the page")}}
	if r := ask(unbuilt, "/"); r.StatusCode != http.StatusOK || !strings.Contains(textOf(r), "make ui") {
		t.Errorf("the entry page without built pages: %d", r.StatusCode)
	}
	if r := ask(built, "/"); r.StatusCode != http.StatusOK || textOf(r) != "the page" {
		t.Errorf("the entry page: %d", r.StatusCode)
	}
	for _, dist := range []fstest.MapFS{unbuilt, built} {
		for _, path := range []string{"/arm.urdf", "/.keep", "/assets/", "/../index.html"} {
			if r := ask(dist, path); r.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %d", path, r.StatusCode)
			}
		}
	}
}

const script = "export const greeting = 'a script of a page';"

// packedPages are pages as the build leaves them: the script only with its codings.
func packedPages(t *testing.T) fstest.MapFS {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = io.WriteString(w, script)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{
		"index.html":        {Data: []byte("the page")},
		"assets/main.js.br": {Data: []byte("brotli's bytes")},
		"assets/main.js.gz": {Data: packed.Bytes()},
	}
}

func TestPagesHaveTheCodingThatTheBrowserPrefers(t *testing.T) {
	dist := packedPages(t)
	for accept, coding := range map[string]string{
		"gzip, deflate, br, zstd":       "br",
		"gzip, deflate":                 "gzip",
		"x-gzip":                        "gzip",
		"GZIP;Q=0.5":                    "gzip",
		"br;q=0, gzip":                  "gzip",
		"br;q=0.0, gzip;q=0.000":        "",
		"br;q=0.3, gzip;q=0.8":          "gzip",
		"br;q=0.3, gzip;q=0.8,identity": "",
		"*":                             "br",
		"*;q=0.1, br;q=0":               "gzip",
		"*;q=0":                         "",
		"identity;q=0, *;q=0":           "",
		"identity;q=0, gzip":            "gzip",
		"identity":                      "",
		"deflate, zstd":                 "",
		"br;q=high, gzip;q=-1":          "",
		"":                              "",
	} {
		r := ask(dist, "/assets/main.js", "Accept-Encoding", accept)
		if got := r.Header.Get("Content-Encoding"); r.StatusCode != http.StatusOK || got != coding {
			t.Errorf("Accept-Encoding: %s: %d, coding %q, want %q", accept, r.StatusCode, got, coding)
		}
		if got := r.Header.Get("Vary"); got != "Accept-Encoding" {
			t.Errorf("Accept-Encoding: %s: Vary: %q", accept, got)
		}
		text := textOf(r)
		if want := map[string]string{"": script, "br": "brotli's bytes", "gzip": string(dist["assets/main.js.gz"].Data)}[coding]; text != want {
			t.Errorf("Accept-Encoding: %s: %q", accept, text)
		}
		if got := r.Header.Get("Content-Length"); got != strconv.Itoa(len(text)) {
			t.Errorf("Accept-Encoding: %s: Content-Length %s of %d bytes", accept, got, len(text))
		}
		if got := r.Header.Get("Content-Type"); !strings.HasPrefix(got, "text/javascript") {
			t.Errorf("Accept-Encoding: %s: Content-Type %q", accept, got)
		}
	}
	two := ask(dist, "/assets/main.js", "Accept-Encoding", "deflate", "Accept-Encoding", "gzip")
	if got := two.Header.Get("Content-Encoding"); got != "gzip" {
		t.Errorf("two headers: coding %q", got)
	}
	for _, path := range []string{"/assets/main.js.br", "/assets/main.js.gz"} {
		if r := ask(dist, path); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, r.StatusCode)
		}
	}
}

func TestEveryCodingOfAPageHasItsOwnETag(t *testing.T) {
	dist := packedPages(t)
	seen := map[string]bool{}
	for _, accept := range []string{"br", "gzip", "identity"} {
		first := ask(dist, "/assets/main.js", "Accept-Encoding", accept)
		tag := first.Header.Get("ETag")
		if tag == "" || seen[tag] {
			t.Errorf("%s: ETag %q", accept, tag)
		}
		seen[tag] = true
		again := ask(dist, "/assets/main.js", "Accept-Encoding", accept, "If-None-Match", tag)
		if again.StatusCode != http.StatusNotModified || textOf(again) != "" || again.Header.Get("Vary") == "" {
			t.Errorf("%s with its ETag: %d", accept, again.StatusCode)
		}
	}
	other := ask(dist, "/assets/main.js", "Accept-Encoding", "br", "If-None-Match", ask(dist, "/assets/main.js", "Accept-Encoding", "gzip").Header.Get("ETag"))
	if other.StatusCode != http.StatusOK {
		t.Errorf("the ETag of another coding: %d", other.StatusCode)
	}
	if r := ask(dist, "/"); r.Header.Get("ETag") == "" || r.Header.Get("Cache-Control") != "" {
		t.Errorf("the entry page: ETag %q, Cache-Control %q", r.Header.Get("ETag"), r.Header.Get("Cache-Control"))
	}
	if got := ask(dist, "/assets/main.js").Header.Get("Cache-Control"); !strings.Contains(got, "immutable") {
		t.Errorf("a script: Cache-Control %q", got)
	}
}

func TestRangesOfPagesAreRangesOfTheirCoding(t *testing.T) {
	dist := packedPages(t)
	for accept, whole := range map[string]string{"identity": script, "br": "brotli's bytes", "gzip": string(dist["assets/main.js.gz"].Data)} {
		r := ask(dist, "/assets/main.js", "Accept-Encoding", accept, "Range", "bytes=3-8")
		if text := textOf(r); r.StatusCode != http.StatusPartialContent || text != whole[3:9] || r.Header.Get("Content-Length") != "6" {
			t.Errorf("%s: %d %q, Content-Length %s", accept, r.StatusCode, text, r.Header.Get("Content-Length"))
		}
	}
}
