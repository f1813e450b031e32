package shm

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// Bäuml and Hirzinger, aRD, 2006, lines 204 to 208 of the text: "The simple interface consists of only five functions", create, init, send, rec and tryrec.
func TestClientsHaveThePublishedFunctions(t *testing.T) {
	for file, form := range map[string]string{
		"clients/c/ardnet.h":                `(?m)^[a-z].*\bardnet_%s\(`,
		"clients/python/ardnet/__init__.py": `(?m)^ *def %s\(`,
	} {
		text, err := os.ReadFile(filepath.Join(testkit.Root(t), file))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"create", "init", "send", "rec", "tryrec"} {
			if !regexp.MustCompile(regexp.MustCompile("%s").ReplaceAllString(form, name)).Match(text) {
				t.Errorf("%s has no function %s", file, name)
			}
		}
	}
}
