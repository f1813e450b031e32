package run

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/cores"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
)

// TestStaleCoreVariableIsAnError runs itself in a child as the core of a front that has ended, and of another system. System returns
// an error that names the cause, and processes that the child starts do not inherit the variable.
func TestStaleCoreVariableIsAnError(t *testing.T) {
	if rt.SharedFolder() == "" {
		t.Skip("SKIPPED: no shared memory here")
	}
	const name = "stale-core"
	if !IsCore() {
		for path, want := range map[string]string{cores.Path(name): "its front has ended", cores.Path("other"): "a program that runs several systems"} {
			child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
			child.Env = append(os.Environ(), coreVariable+"="+path)
			out, err := child.CombinedOutput()
			if err != nil || !strings.Contains(string(out), want) {
				t.Errorf("as the core at %s: %v\n%s", path, err, out)
			}
		}
		return
	}
	if v, ok := os.LookupEnv(coreVariable); ok {
		t.Errorf("processes inherit the value %q", v)
	}
	d := diagram.New(name)
	d.Thread(diagram.Thread{Name: "main", Period: time.Millisecond})
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := System(context.Background(), &system.System{Name: name, Net: net}, Options{})
	if err == nil {
		t.Fatalf("it runs: %+v", r)
	}
	t.Log(err)
}
