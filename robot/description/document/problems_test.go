package document

import (
	"errors"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// wantProblems fails unless the error is Problems whose lines begin with want.
func wantProblems(t *testing.T, err error, want ...string) {
	t.Helper()
	var problems Problems
	if !errors.As(err, &problems) {
		t.Fatalf("got %v, expected Problems", err)
	}
	testkit.LinesBegin(t, problems.Error(), want...)
}
