package main

import (
	"bytes"
	"os"
	"testing"
)

// The kernels in package neighbor must be those that this program writes.
func TestKernelsAreUpToDate(t *testing.T) {
	for name, text := range files() {
		have, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, text) {
			t.Errorf("%s is not what this program writes; run go generate ./robot/planning/neighbor", name)
		}
	}
}
