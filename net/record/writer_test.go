package record

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/schema"
)

// Records written a flush interval ago are on the disk, without any further call.
func TestSamplesReachTheDiskWithinTheFlushInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		w, err := newWriter("test.mcap", "", d)
		if err != nil {
			t.Fatal(err)
		}
		l := layoutFor[float64](t)
		id, _ := w.AddChannel("x", l)
		for i := range 10 {
			w.Write(Sample{id, int64(i), 0, 0, cdrOf(t, l, i)})
			w.Lost(id, 1)
			time.Sleep(FlushInterval)
			synctest.Wait()
			r := read(t, d.contents())
			if n := len(collect(t, r, Filter{})); n != i+1 || d.syncs != i+1 || len(r.Damage()) != 1 {
				t.Fatalf("after %d: %d samples, %d syncs, %v", i+1, n, d.syncs, r.Damage())
			}
			if c, _ := r.Channel("x"); c.Lost != uint64(i+1) {
				t.Fatalf("%d losses, want %d", c.Lost, i+1)
			}
		}
		time.Sleep(10 * FlushInterval)
		if d.syncs != 10 {
			t.Error("an idle log is flushed")
		}
		if err := w.Close(); err != nil || !d.closed {
			t.Error(err)
		}
		if r := read(t, d.contents()); len(r.Damage()) > 0 {
			t.Error(r.Damage())
		}
	})
}

// Samples written a write interval ago are in the file, which bounds what the end of the process loses.
func TestSamplesReachTheFileWithinTheWriteInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		w, err := newWriter("test.mcap", "", d)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		l := layoutFor[float64](t)
		id, _ := w.AddChannel("x", l)
		for i := range 10 {
			w.Write(Sample{id, int64(i), 0, 0, cdrOf(t, l, i)})
			time.Sleep(WriteInterval)
			synctest.Wait()
			if n := len(collect(t, read(t, d.contents()), Filter{})); n != i+1 {
				t.Fatalf("%d of %d samples are in the file", n, i+1)
			}
		}
	})
}

// A log that is killed at any byte can be read up to its last full chunk.
func TestKilledLogIsReadUpToItsLastChunk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		w, err := newWriter("test.mcap", "", d)
		if err != nil {
			t.Fatal(err)
		}
		l := layoutFor[float64](t)
		var ends, counts []int // end of each chunk, samples up to there
		for i := range 400 {
			if i%100 == 0 { // channels are added while it runs
				if _, err := w.AddChannel(fmt.Sprint("c", i), l); err != nil {
					t.Fatal(err)
				}
			}
			w.Write(Sample{ID(2 + i/100), int64(i), 0, uint32(i), cdrOf(t, l, math.Sin(float64(i)))})
			if i%13 == 0 {
				time.Sleep(FlushInterval)
				synctest.Wait()
				ends, counts = append(ends, len(d.contents())), append(counts, i+1)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		log := d.contents()
		for n := 8; n < len(log); n += 97 {
			got := collect(t, read(t, log[:n]), Filter{})
			want := 0
			for i, end := range ends {
				if n >= end {
					want = counts[i]
				}
			}
			if len(got) < want {
				t.Fatalf("cut to %d bytes: %d samples, want %d", n, len(got), want)
			}
			for i, s := range got {
				if s.Sequence != uint32(i) {
					t.Fatalf("cut to %d bytes: sample %d is missing", n, i)
				}
			}
		}
	})
}

// A disk without room for anything: one error with path, cause and remedy.
func TestCreateErrorNamesTheRemedy(t *testing.T) {
	_, err := Create(filepath.Join(t.TempDir(), "no", "log.mcap"))
	if err == nil || !strings.Contains(err.Error(), "log.mcap") || !strings.Contains(err.Error(), "create that folder first") {
		t.Error(err)
	}
	if _, err := newWriter("log.mcap", "", &disk{room: 5}); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "creating log log.mcap") {
		t.Error(err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none.mcap")); err == nil {
		t.Error("opened nothing")
	}
}

// A log ended by a full disk records its own losses.
func TestFullDiskIsRecordedInTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{room: 2650}
		w, err := newWriter("test.mcap", "", d)
		if err != nil {
			t.Fatal(err)
		}
		l := layoutFor[[20]float64](t)
		id, _ := w.AddChannel("x", l)
		r := testkit.Rand(t)
		value := make([]float64, 20)
		n, kept := 0, uint64(0)
		for ; err == nil; n++ {
			for i := range value {
				value[i] = r.NormFloat64()
			}
			err = w.Write(Sample{id, int64(n), 0, 0, cdrOf(t, l, value)})
			time.Sleep(FlushInterval)
			synctest.Wait()
		}
		w.Close()
		log := read(t, d.contents())
		c, _ := log.Channel("x")
		kept = uint64(len(collect(t, log, Filter{})))
		// n-1 were accepted: the last Write was rejected after the log had ended.
		if kept == 0 || kept+c.Lost != uint64(n-1) || c.Lost == 0 {
			t.Errorf("%d written, %d kept, %d lost; %v", n, kept, c.Lost, log.Damage())
		}
	})
}

type pose struct {
	Position [3]float64 `unit:"m"`
	Valid    bool
	Ranges   []float32
}

func TestReaderFindsChannelsSignalsAndAttachments(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.mcap")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	number, poses := layoutFor[float64](t), layoutFor[pose](t, 2)
	a, _ := w.AddChannel("joint1.position", number)
	b, _ := w.AddChannel("arm.tool.pose", poses)
	if _, err := w.AddChannel("never.seen", number); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		at := int64(99-i) * 1e6 // not in order of time
		w.Write(Sample{a, at, at + 1, uint32(i), cdrOf(t, number, 0.25*float64(99-i))})
		w.Write(Sample{b, at, at, uint32(i), cdrOf(t, poses, map[string]any{
			"position": []float64{1, 2, float64(99 - i)}, "valid": i%2 == 0, "ranges": []float64{0.5, 1.5},
		})})
	}
	w.Attach("system.yaml", "text/yaml", []byte("system: test\n"))
	w.Lost(a, 7)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	signals, err := r.Signals()
	want := strings.Fields("joint1.position arm.tool.pose.position[0] arm.tool.pose.position[1] arm.tool.pose.position[2] arm.tool.pose.valid arm.tool.pose.ranges[0] arm.tool.pose.ranges[1]")
	if err != nil || !slices.Equal(signals, want) {
		t.Error(signals, err)
	}
	times, values, err := r.Series("joint1.position")
	if err != nil || len(times) != 100 || times[3] != 0.003 || values[3] != 0.75 {
		t.Error(times, values, err)
	}
	if _, values, err := r.Series("arm.tool.pose.position[2]"); err != nil || values[42] != 42 {
		t.Error(values, err)
	}
	for _, none := range []string{"joint1", "joint1.position.x", "never.seen", "arm.tool.pose.position[3]"} {
		if _, _, err := r.Series(none); err == nil || !strings.Contains(err.Error(), none) {
			t.Error(none, err)
		}
	}
	got := collect(t, r, Filter{Channels: []string{"joint1.position"}, From: 10e6, To: 20e6})
	if len(got) != 10 || got[0].LogTime != 10e6 || got[0].PublishTime != 10e6+1 || got[9].LogTime != 19e6 {
		t.Error(got)
	}
	for _, err := range r.Samples(Filter{Channels: []string{"missing"}}) {
		if err == nil {
			t.Error("found a channel that does not exist")
		}
	}
	c, _ := r.Channel("joint1.position")
	if c.Lost != 7 || c.Samples != 100 || c.Type.Name() != "std_msgs/msg/Float64" {
		t.Error(c)
	}
	p, _ := r.Channel("arm.tool.pose")
	ours, _ := schema.For[pose]()
	if p.Type.Hash() != ours.Hash() || p.Type.Fields()[0].Unit != "m" {
		t.Error(p.Type.Definition())
	}
	if text, err := r.Attachment("system.yaml"); err != nil || string(text) != "system: test\n" {
		t.Error(string(text), err)
	}
	if _, err := r.Attachment("other"); err == nil {
		t.Error("found an attachment that does not exist")
	}
	if first, last := r.Span(); first != 0 || last != 99e6 {
		t.Error(first, last)
	}
}

// A copy of a log holds the same samples.
func TestCopyKeepsAllSamples(t *testing.T) {
	d, l := &disk{}, layoutFor[[2]int16](t)
	w, err := newWriter("a.mcap", "", d)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x", "y"} {
		id, _ := w.AddChannel(name, l)
		w.Lost(id, 2)
		for i := range 50 {
			w.Write(Sample{id, int64(i), int64(i), uint32(i), cdrOf(t, l, []int{i, -i})})
		}
	}
	w.Close()
	from := read(t, d.contents())
	d2 := &disk{}
	to, _ := newWriter("b.mcap", "", d2)
	if err := Copy(to, from, Filter{Channels: []string{"y"}, From: 10}); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	copied := read(t, d2.contents())
	a, b := collect(t, from, Filter{Channels: []string{"y"}, From: 10}), collect(t, copied, Filter{})
	for i := range a {
		a[i].Channel = b[i].Channel
	}
	if len(a) != 40 || !reflect.DeepEqual(a, b) || copied.Channels()[0].Lost != 2 {
		t.Error(a, b)
	}
}
