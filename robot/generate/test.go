package generate

import (
	_ "embed"
	"strings"
)

// The test of a generated package, in parts: every function against the general algorithm, the functions for eight states, and the
// derivatives.
var (
	//go:embed template/robot_test.go.txt
	robotTest string
	//go:embed template/batch_test.go.txt
	batchTest string
	//go:embed template/derivatives_test.go.txt
	derivativesTest string
)

// test writes the tests of the package.
func (w *writer) test() error {
	options := "multibody.IgnoreMimic()"
	if w.options.Floating {
		options += ", multibody.FloatingBase()"
	}
	text := strings.NewReplacer("GENERATED", generatedBy, "NAME", w.options.Name, "OPTIONS", options).Replace(robotTest)
	if w.options.Batch {
		text += batchTest
	}
	if len(w.slopes) == 2 {
		text += derivativesTest
	}
	return w.add(w.options.Name+"_test.go", []byte(text))
}
