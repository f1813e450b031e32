package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"sinew": func() { os.Exit(cli.Main(flow.Blocks(), servo.Blocks(), faultyBlocks())) },
	})
}

// TestScripts runs the command as a user does: testdata/script/*.txtar, one for each verb or kind of mistake.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("REPO", root)
			runtime := filepath.Join(e.WorkDir, "runtime")
			e.Setenv("TMPDIR", runtime)
			for _, name := range []string{"HOME", "GOCACHE", "GOMODCACHE", "GOPATH", "GOFLAGS", "GOPROXY", "GOSUMDB", "GONOSUMDB", "SSL_CERT_FILE"} {
				if v, ok := os.LookupEnv(name); ok {
					e.Setenv(name, v)
				}
			}
			return os.Mkdir(runtime, 0o700)
		},
	})
}
