// Package scripts runs the test scripts of the command's packages, testdata/script/*.txtar, in which the command is
// used as a user does. Only tests import it.
package scripts

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

// grace is how long processes that a script has left running may take to end.
const grace = 10 * time.Second

// Run runs the scripts of the test's package, each in a folder of its own, which also holds the user's runtime files. The variable
// REPO is the folder of the repository. The commands are those that the package's TestMain gives to [testscript.Main].
func Run(t *testing.T) {
	root := testkit.Root(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("REPO", root)
			runtime := filepath.Join(e.WorkDir, "runtime")
			e.Setenv("TMPDIR", runtime)
			e.Setenv("XDG_RUNTIME_DIR", runtime)
			shared := filepath.Join("/dev/shm", "sinew-test-"+strconv.Itoa(os.Getpid())+"-"+filepath.Base(e.WorkDir))
			e.Setenv("SINEW_SHM", shared)
			for _, name := range []string{"HOME", "GOCACHE", "GOMODCACHE", "GOPATH", "GOFLAGS", "GOPROXY", "GOSUMDB", "GONOSUMDB", "SSL_CERT_FILE"} {
				if v, ok := os.LookupEnv(name); ok {
					e.Setenv(name, v)
				}
			}
			e.Defer(func() { // what a script that failed has left running
				_, _ = proc.End(func() []*proc.Process {
					return proc.Marked("TMPDIR", func(folder string) bool { return folder == runtime })
				}, grace)
				_ = os.RemoveAll(shared)
			})
			return os.Mkdir(runtime, 0o700)
		},
	})
}
