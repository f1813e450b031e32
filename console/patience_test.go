package console

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestPagesWaitLongerThanTheServer reads the deadlines of the pages: one that gave up before the server would report a failure of what still succeeds.
func TestPagesWaitLongerThanTheServer(t *testing.T) {
	read := func(file string) string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	line := strings.Replace(regexp.MustCompile(`const requestTimeout.*\n.*`).FindString(read("ui/src/lib/nats.ts")), "requestTimeout =", "others:", 1)
	deadlines := map[string]time.Duration{"others": askPatience, "call": callPatience}
	for _, m := range regexp.MustCompile(`request\.(?:Method|Command)\("([\w.]+)",.*\.Within\((\w+)\)`).FindAllStringSubmatch(read("methods.go"), -1) {
		deadlines[m[1]] = map[string]time.Duration{"callPatience": callPatience, "startPatience": startPatience, "planPatience": planPatience}[m[2]]
	}
	if len(deadlines) < 7 {
		t.Fatalf("methods.go has the deadlines %v", deadlines)
	}
	for method, patience := range deadlines {
		found := regexp.MustCompile(regexp.QuoteMeta(method) + `"?: ([\d_]+)`).FindStringSubmatch(line)
		if found == nil {
			t.Errorf("no deadline of %s in %q", method, line)
			continue
		}
		ms, err := strconv.Atoi(strings.ReplaceAll(found[1], "_", ""))
		if page := time.Duration(ms) * time.Millisecond; err != nil || page <= patience || page > patience+10*time.Second {
			t.Errorf("a page waits %v for %s, the server %v", page, method, patience)
		}
	}
}
