package mcap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"

	"github.com/klauspost/compress/zstd"
)

// ChunkSize is the size at which WriteMessage flushes the chunk automatically, in bytes of messages.
const ChunkSize = 1 << 20

// Writer writes a file, chunk by chunk. It is not safe for concurrent use.
//
// After the io.Writer fails, every call returns that error until the file is truncated to Offset and Recover is
// called.
type Writer struct {
	w      io.Writer
	err    error
	zstd   *zstd.Encoder
	offset uint64 // bytes in the file
	crc    uint32 // of those bytes

	schemas  []*Schema
	channels []*Channel
	pending  pendingChunk
	counts   []byte // of the chunk being written
	out      buffer // written next, in one piece

	stats       Statistics
	chunks      []writtenChunk
	attachments []attachmentIndex
	metadata    []metadataIndex
}

// pendingChunk collects the records of the next chunk.
type pendingChunk struct {
	records    buffer
	start, end uint64
	messages   uint64
	index      [][]indexEntry // by channel id
}

type indexEntry struct{ time, offset uint64 }

// writtenChunk is what stays in memory of a chunk until the end of the file: little, since a long log has very many.
type writtenChunk struct {
	start, end, offset, length, compressed, uncompressed uint64
	counts                                               []byte // pairs of varints: step to the next channel, messages on it
}

// index returns the ChunkIndex of a chunk. The message indexes follow the chunk in the order of their channels.
func (k *writtenChunk) index() chunkIndex {
	c := chunkIndex{
		start: k.start, end: k.end, offset: k.offset, length: k.length, indexOffsets: map[uint16]uint64{},
		compression: "zstd", compressed: k.compressed, uncompressed: k.uncompressed,
	}
	channel := uint64(0)
	for b := k.counts; len(b) > 0; {
		step, n := binary.Uvarint(b)
		messages, m := binary.Uvarint(b[n:])
		b = b[n+m:]
		channel += step
		c.indexOffsets[uint16(channel)] = k.offset + k.length + c.indexLength
		c.indexLength += recordHead + 2 + 4 + 16*messages
	}
	return c
}

// NewWriter starts a file on w.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, fmt.Errorf("mcap: starting zstd: %w", err)
	}
	f := &Writer{w: w, zstd: encoder, stats: Statistics{ChannelCount: map[uint16]uint64{}}}
	f.out = append(f.out, magic...)
	f.out.header(h)
	if err := f.write(); err != nil {
		return nil, err
	}
	return f, nil
}

// Offset returns the number of bytes of the readable file: everything written without error.
func (f *Writer) Offset() int64 { return int64(f.offset) }

// Buffered returns the number of bytes of records in the chunk that is not yet written.
func (f *Writer) Buffered() int { return len(f.pending.records) }

// AddSchema adds a schema, or finds an equal one, and returns its number. A file has at most 65,535 schemas; more are an error.
func (f *Writer) AddSchema(name, encoding string, data []byte) (uint16, error) {
	for _, s := range f.schemas {
		if s.Name == name && s.Encoding == encoding && bytes.Equal(s.Data, data) {
			return s.ID, nil
		}
	}
	if len(f.schemas) >= math.MaxUint16 {
		return 0, errors.New("mcap: adding a schema: a file has at most 65535")
	}
	s := &Schema{uint16(len(f.schemas) + 1), name, encoding, bytes.Clone(data)}
	f.schemas = append(f.schemas, s)
	f.pending.records.schema(s)
	return s.ID, nil
}

// AddChannel adds a channel and returns its number. A file has at most 65,535 channels; more are an error.
func (f *Writer) AddChannel(schema uint16, topic, encoding string, metadata map[string]string) (uint16, error) {
	if len(f.channels) >= math.MaxUint16 {
		return 0, errors.New("mcap: adding a channel: a file has at most 65535")
	}
	c := &Channel{uint16(len(f.channels) + 1), schema, topic, encoding, maps.Clone(metadata)}
	f.channels = append(f.channels, c)
	f.pending.index = append(f.pending.index, nil)
	f.pending.records.channel(c)
	return c.ID, nil
}

// WriteMessage adds a message to the chunk and copies its data. It panics if AddChannel did not return the channel's
// number.
func (f *Writer) WriteMessage(m Message) error {
	if f.err != nil {
		return f.err
	}
	if m.ChannelID == 0 || int(m.ChannelID) > len(f.channels) {
		panic(fmt.Sprintf("mcap: WriteMessage: there is no channel %d", m.ChannelID))
	}
	p := &f.pending
	if p.messages == 0 {
		p.start, p.end = m.LogTime, m.LogTime
	}
	p.start, p.end = min(p.start, m.LogTime), max(p.end, m.LogTime)
	p.messages++
	entries := &p.index[m.ChannelID-1]
	*entries = append(*entries, indexEntry{m.LogTime, uint64(len(p.records))})
	p.records.message(&m)
	if len(p.records) >= ChunkSize {
		return f.Flush()
	}
	return nil
}

// Flush writes the messages since the last chunk as a chunk.
func (f *Writer) Flush() error {
	if f.err != nil {
		return f.err
	}
	p := &f.pending
	if len(p.records) == 0 {
		return nil
	}
	at := f.out.begin(opChunk)
	f.out.u64(p.start)
	f.out.u64(p.end)
	f.out.u64(uint64(len(p.records)))
	f.out.u32(crc32.ChecksumIEEE(p.records))
	f.out.string("zstd")
	f.out.u64(0)
	records := len(f.out)
	f.out = f.zstd.EncodeAll(p.records, f.out)
	compressed := uint64(len(f.out) - records)
	patch := f.out[records-8 : records-8]
	(*buffer)(&patch).u64(compressed)
	f.out.end(at)

	k := writtenChunk{
		start: p.start, end: p.end, offset: f.offset, length: uint64(len(f.out)), compressed: compressed, uncompressed: uint64(len(p.records)),
	}
	f.counts = f.counts[:0]
	last := 0
	for i, entries := range p.index {
		if len(entries) == 0 {
			continue
		}
		f.counts = binary.AppendUvarint(binary.AppendUvarint(f.counts, uint64(i+1-last)), uint64(len(entries)))
		last = i + 1
		at := f.out.begin(opMessageIndex)
		f.out.u16(uint16(i + 1))
		f.out.u32(uint32(16 * len(entries)))
		for _, e := range entries {
			f.out.u64(e.time)
			f.out.u64(e.offset)
		}
		f.out.end(at)
	}
	k.counts = bytes.Clone(f.counts)
	if err := f.write(); err != nil {
		return err
	}
	f.count(k)
	f.drop()
	return nil
}

// count adds the pending chunk, now written, to the index and the statistics.
func (f *Writer) count(k writtenChunk) {
	p, s := &f.pending, &f.stats
	f.chunks = append(f.chunks, k)
	if p.messages > 0 {
		if s.Messages == 0 {
			s.Start, s.End = p.start, p.end
		}
		s.Start, s.End = min(s.Start, p.start), max(s.End, p.end)
	}
	s.Messages += p.messages
	for i, entries := range p.index {
		if len(entries) > 0 {
			s.ChannelCount[uint16(i+1)] += uint64(len(entries))
		}
	}
}

// drop empties the pending chunk and keeps its memory.
func (f *Writer) drop() {
	p := &f.pending
	p.records, p.messages, p.start, p.end = p.records[:0], 0, 0, 0
	for i := range p.index {
		p.index[i] = p.index[i][:0]
	}
}

// WriteAttachment writes an attachment.
func (f *Writer) WriteAttachment(a Attachment) error {
	if f.err != nil {
		return f.err
	}
	at := f.offset
	f.out.attachment(&a)
	length := uint64(len(f.out))
	if err := f.write(); err != nil {
		return err
	}
	f.attachments = append(f.attachments, attachmentIndex{at, length, a.LogTime, a.CreateTime, uint64(len(a.Data)), a.Name, a.MediaType})
	return nil
}

// WriteMetadata writes a named set of strings.
func (f *Writer) WriteMetadata(m Metadata) error {
	if f.err != nil {
		return f.err
	}
	at := f.offset
	f.out.metadata(&m)
	length := uint64(len(f.out))
	if err := f.write(); err != nil {
		return err
	}
	f.metadata = append(f.metadata, metadataIndex{at, length, m.Name})
	return nil
}

// write writes out in one piece and empties it.
func (f *Writer) write() error {
	n, err := f.w.Write(f.out)
	if err == nil && n < len(f.out) {
		err = io.ErrShortWrite
	}
	if err != nil {
		f.err = fmt.Errorf("mcap: writing %d bytes at byte %d: %w", len(f.out), f.offset, err)
		f.out = f.out[:0]
		return f.err
	}
	f.offset += uint64(n)
	f.crc = crc32.Update(f.crc, crc32.IEEETable, f.out)
	f.out = f.out[:0]
	return nil
}

// Recover continues after a failure of the io.Writer, once the caller has truncated the output to Offset. It drops
// the chunk that could not be written and returns how many messages of each channel it held.
func (f *Writer) Recover() (lost map[uint16]uint64) {
	f.err = nil
	lost = map[uint16]uint64{}
	for i, entries := range f.pending.index {
		if len(entries) > 0 {
			lost[uint16(i+1)] = uint64(len(entries))
		}
	}
	f.drop()
	// Schemas and channels first described in the lost chunk must be written again.
	for _, s := range f.schemas {
		f.pending.records.schema(s)
	}
	for _, c := range f.channels {
		f.pending.records.channel(c)
	}
	return lost
}
