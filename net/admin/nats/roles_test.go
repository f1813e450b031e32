package nats

import (
	"context"
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/admin/request"
)

// A site grants roles by the lists of methods on the page of the control plane: they are those of the table.
func TestTheControlPlanesPageShowsTheRoles(t *testing.T) {
	page, err := os.ReadFile("../../../docs/reference/control-plane.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "A site can grant roles")
	text, _, _ = strings.Cut(text, "These are the")
	roles := map[string]request.Role{"only read": request.View, "tune": request.Tune, "drive": request.Drive}
	shown, names := map[string]request.Role{}, []string{}
	for _, m := range regexp.MustCompile("`([a-z]+)`|\\b(only read|tune|drive)\\b").FindAllStringSubmatch(text, -1) {
		if m[1] != "" {
			names = append(names, m[1])
			continue
		}
		for _, name := range names {
			shown[name] = roles[m[2]]
		}
		names = nil
	}
	if has := request.NewTable(context.Background(), request.Options{}, (&Service{}).methods()...).Roles(); !maps.Equal(shown, has) {
		t.Errorf("the page shows %v, the process has %v", shown, has)
	}
}
