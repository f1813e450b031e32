package record

import (
	"bytes"
	"io"
	"sync"
	"syscall"
	"testing"

	"github.com/sinew-robotics/sinew/net/schema"
)

// disk is a file in memory with limited room, like a full disk. Room 0 means no limit.
type disk struct {
	mu     sync.Mutex
	b      []byte
	at     int
	room   int
	syncs  int
	closed bool
}

func (d *disk) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := len(b)
	if d.room > 0 {
		n = max(0, min(n, d.room-d.at))
	}
	d.b = append(d.b[:d.at], b[:n]...)
	d.at += n
	if n < len(b) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

func (d *disk) Seek(offset int64, whence int) (int64, error) {
	d.at = int(offset)
	return offset, nil
}

func (d *disk) Truncate(size int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.b = d.b[:size]
	return nil
}

func (d *disk) Sync() error  { d.syncs++; return nil }
func (d *disk) Close() error { d.closed = true; return nil }

// contents returns what a reader finds on the disk now.
func (d *disk) contents() []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	return bytes.Clone(d.b)
}

func read(t testing.TB, log []byte) *Reader {
	t.Helper()
	r, err := newReader("test.mcap", bytes.NewReader(log), int64(len(log)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func collect(t testing.TB, r *Reader, f Filter) (list []Sample) {
	t.Helper()
	for s, err := range r.Samples(f) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

// layoutFor returns the layout of a T whose slices have the given lengths.
func layoutFor[T any](t testing.TB, lengths ...int) *schema.Layout {
	t.Helper()
	ty, err := schema.For[T]()
	if err != nil {
		t.Fatal(err)
	}
	return ty.Layout(lengths...)
}

// cdrOf returns a value as a port sends it.
func cdrOf(t testing.TB, l *schema.Layout, v any) []byte {
	t.Helper()
	cdr, err := l.FromValue(v)
	if err != nil {
		t.Fatal(err)
	}
	return cdr
}

var _ io.WriteSeeker = (*disk)(nil)
