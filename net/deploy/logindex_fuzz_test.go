package deploy

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// FuzzLogIndex reads an output beside any index: the lines are those of the output, and each time is one of the index or unknown.
func FuzzLogIndex(f *testing.F) {
	entry := func(size, at uint64) []byte {
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, size), at)
	}
	f.Add([]byte("one\ntwo\r\nthr"), bytes.Join([][]byte{entry(4, 1e18), entry(9, 0), entry(12, 2e18)}, nil))
	f.Add([]byte("\n\n"), entry(math.MaxUint64, math.MaxUint64))
	f.Add([]byte("late\n"), append(entry(9, 1), entry(3, 2)...))
	f.Add([]byte("torn\n"), []byte{5, 0, 0})
	folder := f.TempDir()
	if err := os.Chmod(folder, 0o700); err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(folder, "p.log")
	f.Fuzz(func(t *testing.T, text, index []byte) {
		index = index[:len(index)/entrySize*entrySize]
		known := map[int64]bool{}
		for i := 0; i < len(index); i += entrySize {
			known[int64(binary.LittleEndian.Uint64(index[i+8:]))] = true
		}
		for name, content := range map[string][]byte{path: text, path + timesSuffix: append(bytes.Clone(index), entry(math.MaxInt64, 0)...)} {
			if err := os.WriteFile(name, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		tail := &LogTail{process: "p", path: path}
		lines := append(tail.Read(false), tail.Read(true)...)
		var want []string
		for line := range strings.Lines(string(text)) {
			want = append(want, strings.TrimRight(line, "\r\n"))
		}
		if len(lines) != len(want) {
			t.Fatalf("%d lines of %d", len(lines), len(want))
		}
		for i, l := range lines {
			if l.Text != want[i] || l.Process != "p" {
				t.Fatalf("line %d is %+v, expected %q", i, l, want[i])
			}
			if l.Time != (time.Time{}) && !known[l.Time.UnixNano()] {
				t.Fatalf("line %d was printed at %v, which the index does not have", i, l.Time)
			}
		}
	})
}
