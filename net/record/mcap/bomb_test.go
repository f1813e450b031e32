package mcap

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// mostMemory is the limit of memory for reading a hostile file of less than a megabyte, in bytes, garbage included.
const mostMemory = 512 << 20

// TestHostileFilesTakeLittleMemory opens and reads small files that claim large contents.
func TestHostileFilesTakeLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: decompresses gigabytes")
	}
	for name, file := range map[string][]byte{
		"chunks of one time":             bombOfChunks(t, 12, fill(MaxChunk-1<<21, 1<<20)),
		"a chunk of many small messages": bombOfChunks(t, 8, fill(MaxChunk-1<<16, 0)),
		"a chunk beyond the limit":       bombOfChunks(t, 20, make([]byte, 2*MaxChunk)),
		"a schema in each chunk":         bombOfSchemas(t, 60),
		"metadata named many times":      bombOfMetadata(t, 5000, 100_000),
		"a chunk named many times":       bombOfIndex(t, 2000),
		"frames one after the other":     bombOfFrames(t, 100),
		"lengths beyond the file":        bombOfLengths(),
		"many damaged records":           bombOfDamage(),
	} {
		t.Run(name, func(t *testing.T) {
			if len(file) > 1<<20 {
				t.Fatalf("the file has %d bytes: too many for a bomb", len(file))
			}
			begin := time.Now()
			reported := 0
			most := peak(func() {
				r, err := NewReader(bytes.NewReader(file), int64(len(file)))
				if err != nil {
					reported++
					return
				}
				defer r.Close()
				reported += len(r.Damage())
				for _, err := range r.Messages(Filter{}) {
					if err != nil {
						reported++
					}
				}
			})
			t.Logf("%d bytes: %d MiB, %v, %d errors", len(file), most>>20, time.Since(begin).Round(time.Millisecond), reported)
			if most > mostMemory {
				t.Errorf("reading %d bytes took %d MiB of memory, want at most %d", len(file), most>>20, mostMemory>>20)
			}
			if reported > maxDamage+2 {
				t.Errorf("%d errors, want at most %d", reported, maxDamage+2)
			}
			if reported == 0 {
				t.Error("Damage reports nothing")
			}
		})
	}
}

// peak returns the maximum heap memory that f uses.
func peak(f func()) uint64 {
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var most atomic.Uint64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			runtime.ReadMemStats(&now)
			most.Store(max(most.Load(), now.HeapAlloc))
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	f()
	close(stop)
	<-stopped
	return most.Load() - min(before.HeapAlloc, most.Load())
}

// fill returns about size bytes of records: messages with data of the given length on channel 1.
func fill(size, data int) []byte {
	var b buffer
	b.channel(&Channel{ID: 1, Topic: "/x", Encoding: "cdr"})
	m := Message{ChannelID: 1, LogTime: 1, Data: make([]byte, data)}
	for len(b) < size {
		b.message(&m)
	}
	return b
}

func compressed(t *testing.T, records []byte) []byte {
	e, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	return e.EncodeAll(records, nil)
}

// chunkRecord appends a chunk that claims size bytes.
func (b *buffer) chunkRecord(size int, records []byte) {
	at := b.begin(opChunk)
	b.u64(1)
	b.u64(1)
	b.u64(uint64(size))
	b.u32(0)
	b.string("zstd")
	b.u64(uint64(len(records)))
	*b = append(*b, records...)
	b.end(at)
}

func start() buffer {
	b := buffer(magic)
	b.header(Header{"", "bomb"})
	return b
}

// indexed appends the end of a file whose index is group.
func (b *buffer) indexed(group []byte, s Statistics) []byte {
	begin := len(*b)
	*b = append(*b, group...)
	b.statistics(&s)
	at := b.begin(opFooter)
	b.u64(uint64(begin))
	b.u64(0)
	b.u32(0)
	b.end(at)
	return append(*b, magic...)
}

func bombOfChunks(t *testing.T, n int, records []byte) []byte {
	b, packed := start(), compressed(t, records)
	for range n {
		b.chunkRecord(len(records), packed)
	}
	return b
}

func bombOfSchemas(t *testing.T, n int) []byte {
	b := start()
	for i := range n {
		var records buffer
		records.schema(&Schema{ID: uint16(i + 1), Name: "x", Data: make([]byte, MaxChunk/4)})
		b.chunkRecord(len(records), compressed(t, records))
	}
	return b
}

func bombOfMetadata(t *testing.T, n, size int) []byte {
	b := start()
	at := len(b)
	b.metadata(&Metadata{"x", map[string]string{"y": string(make([]byte, size))}})
	length := len(b) - at
	var index buffer
	for range n {
		index.metadataIndex(&metadataIndex{uint64(at), uint64(length), "x"})
	}
	return b.indexed(index, Statistics{Metadata: uint32(n)})
}

func bombOfIndex(t *testing.T, n int) []byte {
	b := start()
	at := len(b)
	records := fill(MaxChunk-1<<21, 1<<20)
	b.chunkRecord(len(records), compressed(t, records))
	k := chunkIndex{start: 1, end: 1, offset: uint64(at), length: uint64(len(b) - at)}
	var index buffer
	index.channel(&Channel{ID: 1, Topic: "/x", Encoding: "cdr"})
	for range n {
		index.chunkIndex(&k)
	}
	return b.indexed(index, Statistics{Channels: 1, Chunks: uint32(n)})
}

// bombOfFrames hides its size from the decompressor in many frames.
func bombOfFrames(t *testing.T, n int) []byte {
	one := compressed(t, make([]byte, MaxChunk/2))
	b := start()
	b.chunkRecord(1000, bytes.Repeat(one, n))
	return b
}

func bombOfLengths() []byte {
	b := start()
	for i := range 3 {
		at := b.begin(opChannel)
		b.u16(uint16(i))
		b.u16(0)
		b.u32(1 << 31)
		b = append(b, "topic"...)
		b.end(at)
	}
	b = append(b, byte(opMessage))
	b = binary.LittleEndian.AppendUint64(b, 1<<62)
	return b
}

func bombOfDamage() []byte {
	b := start()
	for range 50_000 {
		b.end(b.begin(opMetadata))
	}
	return b
}

// TestLimitsLeaveRoomForRealFiles checks that the limits are far from the files that writers produce.
func TestLimitsLeaveRoomForRealFiles(t *testing.T) {
	var b bytes.Buffer
	w, err := NewWriter(&b, Header{"ros2", "test"})
	if err != nil {
		t.Fatal(err)
	}
	s, _ := w.AddSchema("x", "ros2msg", make([]byte, maxDescription-100))
	for i := range 1000 {
		if _, err := w.AddChannel(s, fmt.Sprint("/", i), "cdr", map[string]string{"a": "b", "c": "d"}); err != nil {
			t.Fatal(err)
		}
	}
	const n = 200_000
	for i := range uint64(n) { // a signal that never changes, as dense as it gets
		if err := w.WriteMessage(Message{1, uint32(i), i * 1e6, i * 1e6, nil}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.WriteMessage(Message{2, 0, 7, 7, make([]byte, MaxChunk-2*ChunkSize)}); err != nil { // a black picture
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{"by its index": b.Bytes(), "cut off": b.Bytes()[:b.Len()-1]} {
		r := read(t, file)
		if got := len(collect(t, r, Filter{})); got != n+1 || len(r.Channels()) != 1000 {
			t.Errorf("%s: %d messages on %d channels, want %d on 1000; %v", name, got, len(r.Channels()), n+1, r.Damage())
		}
	}
}
