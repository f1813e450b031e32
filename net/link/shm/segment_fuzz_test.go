package shm

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/sinew-robotics/sinew/net/link"
)

// FuzzSegment opens links over a file with an arbitrary header: an end connects, waits or fails, and Find returns
// only links that can be opened.
func FuzzSegment(f *testing.F) {
	head := func(magic uint64, version, seats uint32, size uint64, depth uint32) []byte {
		b := make([]byte, 64)
		le := binary.LittleEndian
		le.PutUint64(b[atMagic:], magic)
		le.PutUint32(b[atVersion:], version)
		le.PutUint32(b[atSeats:], seats)
		le.PutUint64(b[atSize:], size)
		le.PutUint32(b[atDepth:], depth)
		return b
	}
	full := segmentBytes(&link.Spec{Size: 8})
	f.Add(head(magic, version, MaxReceivers, 8, 0), uint32(full))
	f.Add(head(magic, version, MaxReceivers, 8, 4), uint32(segmentBytes(&link.Spec{Size: 8, Depth: 4})))
	f.Add(head(magic, version, MaxReceivers, 8, 0), uint32(atSeatTab))
	f.Add(head(magic, version, MaxReceivers, 1<<63, 1<<32-1), uint32(full))
	f.Add(head(magic, version, MaxReceivers, 64<<20, 1<<32-1), uint32(full))
	f.Add(head(magic, version+1, 3, 8, 0), uint32(300))
	f.Add([]byte{}, uint32(0))
	f.Add([]byte("SINW"), uint32(4))
	f.Fuzz(func(t *testing.T, header []byte, length uint32) {
		x := transport(t)
		path := filepath.Join(Folder(x.system), "any")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		content := make([]byte, length%(1<<20))
		copy(content, header)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(Folder(x.system))
		found := link.Spec{Name: "any"}
		if x.Find(&found) && len(content) != segmentBytes(&found) {
			t.Fatalf("Find returns %+v for a file of %d bytes", found, len(content))
		}
		spec := link.Spec{Name: "any", Size: 8}
		tx, err := x.Send(spec)
		if err != nil {
			return
		}
		rx, err := x.Receive(spec)
		if err != nil {
			t.Fatal(err)
		}
		_ = tx.Send(make([]byte, 8))
		rx.TryReceive(make([]byte, 8))
		_, _ = tx.State(), rx.State()
		rx.Close()
		tx.Close()
	})
}
