package record

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// sinkUnderTest is a new sink on a disk with limited room (0: no limit) and what is on the disk after Close.
type sinkUnderTest struct {
	Sink
	values func() []string // "position 0.01 1.5" for each value in order
	losses func() uint64   // as recorded in the log
}

// Every Sink fulfils the contract of the interface.
func TestSinksFulfilTheirContract(t *testing.T) {
	for name, open := range map[string]func(t *testing.T, room int) sinkUnderTest{
		"Writer": openWriter, "CSV": openCSV,
	} {
		t.Run(name, func(t *testing.T) { testSink(t, open) })
	}
}

func openWriter(t *testing.T, room int) sinkUnderTest {
	d := &disk{room: room}
	w, err := newWriter("test.mcap", "", d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return sinkUnderTest{w, func() (values []string) {
		r := read(t, d.contents())
		for _, s := range collect(t, r, Filter{}) {
			c := r.channels[0]
			for i := range r.channels {
				if r.channels[i].ID == s.Channel {
					c = r.channels[i]
				}
			}
			l, err := r.layout(c)
			if err != nil {
				t.Fatal(err)
			}
			for _, leaf := range l.Leaves() {
				values = append(values, c.Name+" "+string(appendNumber(nil, seconds(s.LogTime)))+" "+string(appendNumber(nil, leaf.Float(s.CDR))))
			}
		}
		return values
	}, func() (n uint64) {
		for _, c := range read(t, d.contents()).Channels() {
			n += c.Lost
		}
		return n
	}}
}

func openCSV(t *testing.T, room int) sinkUnderTest {
	d := &disk{room: room}
	rows := func() (head []string, rows [][]string) {
		whole := d.contents()
		whole = whole[:bytes.LastIndexByte(whole, '\n')+1]
		for line := range strings.Lines(string(whole)) {
			rows = append(rows, strings.Split(strings.TrimSpace(line), ","))
		}
		return rows[0], rows[1:]
	}
	return sinkUnderTest{NewCSV(d), func() (values []string) {
		head, rows := rows()
		for _, row := range rows {
			for i := 1; i < len(row)-1; i++ {
				if row[i] != "" {
					values = append(values, head[i]+" "+strings.TrimRight(strings.TrimRight(row[0], "0"), ".")+" "+row[i])
				}
			}
		}
		return values
	}, func() (n uint64) {
		_, rows := rows()
		for _, row := range rows {
			for _, digit := range row[len(row)-1] {
				n = 10*n + uint64(digit-'0')
			}
		}
		return n
	}}
}

func testSink(t *testing.T, open func(t *testing.T, room int) sinkUnderTest) {
	number := layoutFor[float64](t)
	add := func(t *testing.T, s Sink, name string) ID {
		t.Helper()
		id, err := s.AddChannel(name, number)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	t.Run("keeps values in order", func(t *testing.T) {
		s := open(t, 0)
		a, b := add(t, s, "a.x"), add(t, s, "b.y")
		for i := range 3 {
			for _, id := range []ID{a, b} {
				if err := s.Write(Sample{id, int64(i) * 5e8, 0, uint32(i), cdrOf(t, number, 1.5+float64(i))}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		want := "a.x 0 1.5|b.y 0 1.5|a.x 0.5 2.5|b.y 0.5 2.5|a.x 1 3.5|b.y 1 3.5"
		if got := strings.Join(s.values(), "|"); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	})
	t.Run("counts losses", func(t *testing.T) {
		s := open(t, 0)
		id := add(t, s, "x")
		s.Lost(id, 3)
		if err := s.Write(Sample{id, -1, 0, 0, cdrOf(t, number, 1)}); err == nil {
			t.Error("negative time accepted")
		}
		if err := s.Write(Sample{id, 1, 0, 0, cdrOf(t, number, 1)}); err != nil {
			t.Error("a bad sample ends the log:", err)
		}
		s.Lost(id, 2)
		if err := s.Close(); err != nil || s.losses() != 6 {
			t.Error(err, s.losses())
		}
	})
	t.Run("rejects a duplicate name", func(t *testing.T) {
		s := open(t, 0)
		add(t, s, "x")
		if _, err := s.AddChannel("x", number); err == nil || !strings.Contains(err.Error(), "x") {
			t.Error(err)
		}
	})
	t.Run("panics on an unknown channel", func(t *testing.T) {
		s := open(t, 0)
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		s.Write(Sample{Channel: 99})
	})
	t.Run("stays closed", func(t *testing.T) {
		s := open(t, 0)
		id := add(t, s, "x")
		for range 2 {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		if s.Write(Sample{id, 0, 0, 0, cdrOf(t, number, 1)}) == nil {
			t.Error("accepts samples after Close")
		}
		if _, err := s.AddChannel("y", number); err == nil {
			t.Error("accepts channels after Close")
		}
	})
	t.Run("accepts samples from several goroutines", func(t *testing.T) {
		s := open(t, 0)
		var wait sync.WaitGroup
		cdr := cdrOf(t, number, 1)
		for _, id := range []ID{add(t, s, "a"), add(t, s, "b"), add(t, s, "c")} { // a table needs its columns before its first sample
			wait.Go(func() {
				for i := range 1000 {
					s.Write(Sample{id, int64(i), 0, 0, cdr})
				}
			})
		}
		wait.Wait()
		if err := s.Close(); err != nil || len(s.values()) != 3000 {
			t.Error(err, len(s.values()))
		}
	})
	t.Run("survives a full disk", func(t *testing.T) {
		s := open(t, 1_000_000)
		id := add(t, s, "x")
		noise := uint64(1)
		var first error
		written := 0
		for i := 0; first == nil && i < 1_000_000; i++ {
			noise = noise*6364136223846793005 + 1442695040888963407
			if first = s.Write(Sample{id, int64(i), 0, 0, cdrOf(t, number, float64(noise))}); first == nil {
				written++
			}
		}
		err := s.Close()
		if err == nil {
			t.Fatal("no error")
		}
		if again := s.Write(Sample{Channel: id}); !errors.Is(again, syscall.ENOSPC) || first != nil && again != first {
			t.Errorf("a different error the second time: %v", again)
		}
		for _, words := range []string{"no space left on device", "free space", "lost"} {
			if !strings.Contains(err.Error(), words) {
				t.Errorf("%q is not in: %v", words, err)
			}
		}
		if n := len(s.values()); n == 0 || n >= written {
			t.Errorf("%d of %d samples can be read", n, written)
		}
	})
}
