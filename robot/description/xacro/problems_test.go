package xacro

import (
	"errors"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/description/document"
)

// wantProblems fails unless the error is Problems whose lines begin with want.
func wantProblems(t *testing.T, err error, want ...string) {
	t.Helper()
	var problems document.Problems
	if !errors.As(err, &problems) {
		t.Fatalf("got %v, expected Problems", err)
	}
	testkit.LinesBegin(t, problems.Error(), want...)
}
