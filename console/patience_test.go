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
	text, err := os.ReadFile("ui/src/lib/nats.ts")
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Replace(regexp.MustCompile(`const requestTimeout.*\n.*`).FindString(string(text)), "requestTimeout =", "others:", 1)
	for method, patience := range map[string]time.Duration{"others": askPatience, "start": startPatience, "restart": startPatience, "call": callPatience, "plan.make": planPatience} {
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
