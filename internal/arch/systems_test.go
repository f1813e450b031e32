package arch

import (
	"os"
	"testing"

	load "golang.org/x/tools/go/packages"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// TestPackagesCompileForOtherSystems checks the types of all packages for systems other than this one, with all they import. It
// generates no code, which would take minutes.
func TestPackagesCompileForOtherSystems(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED by -short: checks all packages twice")
	}
	for _, system := range []string{"windows", "darwin"} {
		t.Run(system, func(t *testing.T) {
			all, err := load.Load(&load.Config{
				Mode: load.NeedName | load.NeedFiles | load.NeedCompiledGoFiles | load.NeedImports | load.NeedDeps |
					load.NeedTypes | load.NeedSyntax | load.NeedTypesInfo | load.NeedTypesSizes | load.NeedEmbedFiles,
				Dir: testkit.Root(t),
				Env: append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
			}, "./...")
			if err != nil {
				t.Fatal(err)
			}
			if len(all) < 50 {
				t.Errorf("%d packages were found", len(all))
			}
			load.Visit(all, nil, func(p *load.Package) {
				for _, e := range p.Errors {
					t.Errorf("%s: %v", p.PkgPath, e)
				}
			})
		})
	}
}
