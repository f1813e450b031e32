package description

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/description/document"
)

func TestTooLargeFilesAreRejected(t *testing.T) {
	fsys := fstest.MapFS{"big.urdf": {Data: make([]byte, MaxFileSize+1)}}
	_, err := ReadURDF(fsys, "big.urdf", Options{})
	wantProblems(t, err, "big.urdf: the file is larger than 64 MiB")
	_, err = ReadURDF(fsys, "none.urdf", Options{})
	wantProblems(t, err, "none.urdf: cannot open the file: file does not exist")
}

// TestProblemsAreCountedAboveALimit reads 10 MB in which every line is wrong: it must be refused, shortly and soon.
func TestProblemsAreCountedAboveALimit(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<robot name="r"><link name="root"/>`)
	for i := 0; b.Len() < 10<<20; i++ {
		fmt.Fprintf(&b, "<link name=\"link_%d\"/><joint name=\"j%d\" type=\"revolut\"><parent link=\"link%d\"/><child link=\"link_%d\"/></joint>", i, i, i+1, i)
	}
	b.WriteString(`</robot>`)
	_, err := readURDFText(b.String())
	if lines := strings.Count(err.Error(), "\n") + 1; lines != document.MaxProblems+1 {
		t.Errorf("%d lines of problems, expected %d and a last one that counts the others", lines, document.MaxProblems)
	}
}
