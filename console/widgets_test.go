package console_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

func TestWidgetsAreListedAndServed(t *testing.T) {
	local, path := runFile(t, testFile)
	dir := filepath.Join(filepath.Dir(path), "widgets")
	p := open(t, local, withBlocks).page(aToken + " ann")
	if list := p.want("widgets", m{"system": "test"}).([]any); len(list) != 0 {
		t.Errorf("widgets %v", list)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"compass.js": "export default 1", "notes.txt": "secret", ".hidden.js": "secret"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if list := p.want("widgets", m{"system": "test"}).([]any); len(list) != 1 || list[0] != "compass" {
		t.Errorf("widgets %v", list)
	}
	for file, want := range map[string]int{"compass.js": 200, "none.js": 404, "notes.txt": 404, ".hidden.js": 404, "..%2ftest.yaml": 404, "..%2fx.js": 404} {
		if code, text := p.browser.fetch("/widget/test/" + file); code != want || code == http.StatusOK && text != "export default 1" {
			t.Errorf("%s: %d %s", file, code, text)
		}
	}
}
