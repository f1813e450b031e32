package fleet

import (
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/deploy"
)

func TestMergerOrdersLinesOfProcessesByTime(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	m := &merger{last: map[string]time.Time{}}
	m.add([]deploy.LogLine{{Process: "a", Text: "a1", Time: at(1)}, {Process: "a", Text: "a2"}, {Process: "a", Text: "a4", Time: at(4)}})
	m.add([]deploy.LogLine{{Process: "b", Text: "b0"}, {Process: "b", Text: "b2", Time: at(2)}, {Process: "b", Text: "b3", Time: at(3)}})
	var order []string
	for _, l := range m.take(0) {
		order = append(order, l.Text)
	}
	if got := strings.Join(order, " "); got != "b0 a1 a2 b2 b3 a4" { // a line without a time stays behind the one before
		t.Errorf("the order is %s", got)
	}
	m.add([]deploy.LogLine{{Process: "a", Text: "a5", Time: at(5)}})
	if list := m.take(time.Hour); list != nil {
		t.Errorf("a line did not wait for earlier ones: %v", list)
	}
}
