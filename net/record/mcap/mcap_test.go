package mcap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// sampleFile returns a file of three channels in several chunks, not in order of time.
func sampleFile(t testing.TB, r *rand.Rand) (file []byte, chunkEnds []int64, written []Message) {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, Header{"ros2", "test"})
	if err != nil {
		t.Fatal(err)
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := w.AddSchema("std_msgs/msg/Float64", "ros2msg", []byte("float64 data\n"))
	check(err)
	if again, _ := w.AddSchema("std_msgs/msg/Float64", "ros2msg", []byte("float64 data\n")); again != s {
		t.Error("an equal schema is written twice")
	}
	check(w.WriteMetadata(Metadata{"about", map[string]string{"b": "2", "a": "1"}}))
	for i := range 3 {
		_, err := w.AddChannel(s, fmt.Sprintf("/joint%d/position", i), "cdr", map[string]string{"n": fmt.Sprint(i)})
		check(err)
	}
	for i := range 500 {
		m := Message{uint16(1 + r.IntN(3)), uint32(i), uint64(1000 + 10*i + r.IntN(300)), uint64(i), make([]byte, r.IntN(40))}
		for j := range m.Data {
			m.Data[j] = byte(r.Uint32())
		}
		check(w.WriteMessage(m))
		written = append(written, m)
		if i%60 == 59 {
			check(w.Flush())
			chunkEnds = append(chunkEnds, w.Offset())
		}
	}
	check(w.WriteAttachment(Attachment{1, 2, "system.yaml", "text/yaml", []byte("system: janus\n")}))
	check(w.Close())
	return b.Bytes(), chunkEnds, written
}

func read(t testing.TB, file []byte) *Reader {
	t.Helper()
	r, err := NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func collect(t testing.TB, r *Reader, f Filter) (list []Message) {
	t.Helper()
	for m, err := range r.Messages(f) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

func inOrder(written []Message, keep func(Message) bool) (want []Message) {
	for _, m := range written {
		if keep(m) {
			want = append(want, m)
		}
	}
	slices.SortStableFunc(want, func(a, b Message) int { return int(a.LogTime) - int(b.LogTime) })
	return want
}

func same(a, b []Message) bool {
	return slices.EqualFunc(a, b, func(a, b Message) bool {
		return bytes.Equal(a.Data, b.Data) && a.ChannelID == b.ChannelID && a.Sequence == b.Sequence && a.LogTime == b.LogTime && a.PublishTime == b.PublishTime
	})
}

func TestReaderReturnsWhatTheWriterWrote(t *testing.T) {
	file, _, written := sampleFile(t, testkit.Rand(t))
	r := read(t, file)
	if len(r.Damage()) > 0 || r.Header() != (Header{"ros2", "test"}) {
		t.Error(r.Damage(), r.Header())
	}
	if got := collect(t, r, Filter{}); !same(got, inOrder(written, func(Message) bool { return true })) {
		t.Error("messages differ")
	}
	f := Filter{Channels: []uint16{2, 3}, From: 2000, To: 4000}
	if got := collect(t, r, f); !same(got, inOrder(written, func(m Message) bool { return m.ChannelID != 1 && m.LogTime >= 2000 && m.LogTime < 4000 })) {
		t.Error("selected messages differ")
	}
	c := r.Channels()
	if len(c) != 3 || c[1].Topic != "/joint1/position" || c[1].Metadata["n"] != "1" || string(r.Schema(c[1].SchemaID).Data) != "float64 data\n" {
		t.Error(c)
	}
	if m := r.Metadata(); len(m) != 1 || m[0].Values["b"] != "2" {
		t.Error(m)
	}
	if a, err := r.Attachment(0); err != nil || a.Name != r.Attachments()[0] || string(a.Data) != "system: janus\n" {
		t.Error(a, err)
	}
	// A scan finds the same as the index.
	indexed := r.stats
	r.clear()
	r.scan()
	if !reflect.DeepEqual(indexed, r.stats) || len(r.Damage()) > 0 {
		t.Errorf("index %+v\nscan  %+v %v", indexed, r.stats, r.Damage())
	}
	// Without an index, like the file of a writer that was killed.
	if got := collect(t, r, Filter{}); !same(got, inOrder(written, func(Message) bool { return true })) {
		t.Error("salvaged messages differ")
	}
}

// A file cut off anywhere yields all complete chunks and reports the cut.
func TestCutFilesYieldAllCompleteChunks(t *testing.T) {
	file, ends, written := sampleFile(t, testkit.Rand(t))
	for n := len(magic); n < len(file); n += 97 {
		r := read(t, file[:n])
		whole := 0
		for _, end := range ends {
			if int64(n) >= end {
				whole += 60
			}
		}
		got := collect(t, r, Filter{})
		// The chunk may be complete though its message indexes are cut.
		if len(got) < whole || len(got) > whole+60 || len(got)%60 != 0 && len(got) != len(written) {
			t.Fatalf("cut to %d bytes: %d messages, want %d", n, len(got), whole)
		}
		if !same(got, inOrder(written[:len(got)], func(Message) bool { return true })) {
			t.Fatalf("cut to %d bytes: messages differ", n)
		}
		if len(r.Damage()) == 0 {
			t.Fatalf("cut to %d bytes: no damage reported", n)
		}
	}
}

// A changed byte never yields wrong data: at worst messages are missing, and that is reported.
func TestChangedBytesNeverYieldWrongData(t *testing.T) {
	r := testkit.Rand(t)
	file, _, written := sampleFile(t, r)
	all := map[string]bool{}
	for _, m := range written {
		all[fmt.Sprint(m)] = true
	}
	for range 500 {
		damaged := slices.Clone(file)
		at := r.IntN(len(file))
		damaged[at] ^= byte(1 + r.IntN(255))
		f, err := NewReader(bytes.NewReader(damaged), int64(len(damaged)))
		if err != nil {
			continue // the magic at the beginning
		}
		n, reported := 0, len(f.Damage()) > 0
		for m, err := range f.Messages(Filter{}) {
			if err != nil {
				reported = true
				continue
			}
			n++
			if !all[fmt.Sprint(m)] {
				t.Fatalf("byte %d changed: a wrong message: %v", at, m)
			}
		}
		if n < len(written) && !reported {
			t.Fatalf("byte %d changed: %d of %d messages and no damage reported", at, n, len(written))
		}
		f.Close()
	}
}

func TestReaderRejectsOtherFiles(t *testing.T) {
	for _, b := range []string{"", "\x89MCAP", "#rosbag v2.0\n and more"} {
		if _, err := NewReader(strings.NewReader(b), int64(len(b))); err == nil || !strings.Contains(err.Error(), "not an MCAP file") {
			t.Errorf("%q: %v", b, err)
		}
	}
}

// full is a disk with limited room. It writes what fits and then fails.
type full struct {
	bytes.Buffer
	room int
}

var errFull = errors.New("no space left")

func (d *full) Write(b []byte) (int, error) {
	n := min(len(b), d.room-d.Len())
	d.Buffer.Write(b[:n])
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

func TestFullDiskKeepsWhatIsWritten(t *testing.T) {
	d := &full{room: 900}
	w, err := NewWriter(d, Header{"ros2", "test"})
	if err != nil {
		t.Fatal(err)
	}
	id, _ := w.AddChannel(0, "/x", "json", nil)
	written := 0
	for err == nil {
		if err = w.WriteMessage(Message{ChannelID: id, Data: []byte(`{}`)}); err == nil {
			err = w.Flush()
		}
		written++
	}
	if !errors.Is(err, errFull) || !errors.Is(w.Close(), errFull) || !errors.Is(w.WriteMessage(Message{ChannelID: id}), errFull) {
		t.Fatal(err)
	}
	d.Truncate(int(w.Offset()))
	if lost := w.Recover(); lost[id] != 1 {
		t.Error("lost", lost)
	}
	d.room = 1 << 20
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := read(t, d.Bytes())
	if n := len(collect(t, r, Filter{})); n != written-1 || n == 0 || len(r.Damage()) > 0 {
		t.Error(n, written, r.Damage())
	}
}

// smallFile returns a complete file of a few hundred bytes with every kind of record, as a seed: large seeds make
// fuzzing slow.
func smallFile(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, Header{"", ""})
	if err != nil {
		t.Fatal(err)
	}
	s, _ := w.AddSchema("T", "ros2msg", []byte("int8 x\n"))
	c, _ := w.AddChannel(s, "/x", "cdr", map[string]string{"k": "v"})
	for i := range uint64(3) {
		if err := errors.Join(w.WriteMessage(Message{c, uint32(i), 9 - i, i, []byte{0, 1, 0, 0, byte(i)}}), w.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.WriteMetadata(Metadata{"m", map[string]string{"a": "b"}}),
		w.WriteAttachment(Attachment{1, 2, "f", "t", []byte("x")}), w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func FuzzReader(f *testing.F) {
	file := smallFile(f)
	if len(file) > 1500 {
		f.Fatalf("the seed has %d bytes: too many to minimize quickly", len(file))
	}
	f.Add(file)
	f.Add(file[:len(file)/2])
	f.Add([]byte(magic))
	loose := buffer(magic)
	loose.header(Header{"", ""})
	loose.channel(&Channel{ID: 7, Topic: "/x", Encoding: "json"})
	loose.message(&Message{ChannelID: 7, Data: []byte("{}")})
	f.Add([]byte(loose))
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := NewReader(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		defer r.Close()
		r.Channels()
		for i := range r.Attachments() {
			r.Attachment(i)
		}
		for m, err := range r.Messages(Filter{To: 1 << 62}) {
			if err == nil && r.channels[m.ChannelID] == nil {
				t.Fatal("a message without channel")
			}
		}
	})
}

func BenchmarkWriteMessage(b *testing.B) {
	w, err := NewWriter(io.Discard, Header{"ros2", "bench"})
	if err != nil {
		b.Fatal(err)
	}
	id, _ := w.AddChannel(0, "/x", "cdr", nil)
	data := make([]byte, 12)
	b.ReportAllocs()
	i := uint64(0)
	for b.Loop() {
		i++
		data[5], data[6], data[7] = byte(i*i), byte(i>>2), byte(i>>7)
		if err := w.WriteMessage(Message{id, uint32(i), i * 33333, i * 33333, data}); err != nil {
			b.Fatal(err)
		}
	}
}
