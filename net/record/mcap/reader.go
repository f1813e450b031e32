package mcap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// Reader reads an MCAP file.
type Reader struct {
	r    io.ReaderAt
	size int64
	zstd *zstd.Decoder

	header      Header
	schemas     map[uint16]*Schema
	channels    map[uint16]*Channel
	stats       Statistics
	chunks      []chunkRef // in the order of the file
	attachments []attachmentIndex
	metadata    []Metadata
	damage      []error
	held        int // cost of schemas, channels and metadata in memory, bytes
	counted     int // entries in the counts of chunks that a scan has made
}

// chunkRef is a part of the file that holds messages: a Chunk, or consecutive records that a writer without chunks
// left.
type chunkRef struct {
	start, end     uint64 // log times, ns
	offset, length uint64
	loose          bool
	counts         map[uint16]uint64 // messages by channel if scanned; if only indexed, a positive number for each channel present
}

// NewReader opens a file of the given size. A complete file is opened by its index. A file that was cut off or whose
// index is damaged is scanned from the beginning, and all complete parts are found; Damage then describes the
// problems. NewReader fails if the file is not an MCAP file or cannot be read.
func NewReader(r io.ReaderAt, size int64) (*Reader, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxChunk))
	if err != nil {
		return nil, fmt.Errorf("mcap: starting zstd: %w", err)
	}
	f := &Reader{r: r, size: size, zstd: decoder}
	head, err := f.bytes(0, uint64(min(size, int64(len(magic)))))
	if err != nil {
		return nil, err
	}
	if string(head) != magic {
		return nil, ErrNotMCAP
	}
	f.clear()
	if err := f.readIndex(); err != nil {
		f.clear()
		f.damage = append(f.damage, err)
		f.scan()
	}
	return f, nil
}

func (f *Reader) clear() {
	f.schemas, f.channels = map[uint16]*Schema{}, map[uint16]*Channel{}
	f.stats = Statistics{ChannelCount: map[uint16]uint64{}}
	f.chunks, f.attachments, f.metadata = nil, nil, nil
}

// Close frees the decompressor. It does not close the io.ReaderAt.
func (f *Reader) Close() { f.zstd.Close() }

// Header returns the first record of the file.
func (f *Reader) Header() Header { return f.header }

// Channels returns all channels in the order of their numbers.
func (f *Reader) Channels() []*Channel {
	return slices.SortedFunc(maps.Values(f.channels), func(a, b *Channel) int { return int(a.ID) - int(b.ID) })
}

// Schema returns the schema with a number, nil if there is none.
func (f *Reader) Schema(id uint16) *Schema { return f.schemas[id] }

// Statistics returns the counts of the file's contents; in a damaged file, of its readable part.
func (f *Reader) Statistics() Statistics { return f.stats }

// Metadata returns the named sets of strings in the order of the file.
func (f *Reader) Metadata() []Metadata { return f.metadata }

// Damage returns the problems of the file; it is empty for a complete one. The contents of a damaged chunk are only
// checked when messages are read.
func (f *Reader) Damage() []error { return f.damage }

// Attachments returns the names of the files within the file.
func (f *Reader) Attachments() []string {
	names := make([]string, len(f.attachments))
	for i := range f.attachments {
		names[i] = f.attachments[i].name
	}
	return names
}

// Attachment reads the i-th of Attachments and checks its CRC. It fails if the CRC differs.
func (f *Reader) Attachment(i int) (Attachment, error) {
	at := f.attachments[i]
	c, err := f.record(opAttachment, at.offset, at.length)
	if err != nil {
		return Attachment{}, err
	}
	a := c.attachment()
	if c.err != nil {
		return Attachment{}, fmt.Errorf("mcap: attachment %q at byte %d: %w", at.name, at.offset, c.err)
	}
	return a, nil
}

// bytes reads a section of the file.
func (f *Reader) bytes(offset, length uint64) ([]byte, error) {
	if offset > uint64(f.size) || length > uint64(f.size)-offset {
		return nil, fmt.Errorf("mcap: reading %d bytes at byte %d: the file has only %d", length, offset, f.size)
	}
	b := make([]byte, length)
	// ReadAt may return io.EOF with the last byte of a file.
	if n, err := f.r.ReadAt(b, int64(offset)); n < len(b) {
		return nil, fmt.Errorf("mcap: reading %d bytes at byte %d: %w", length, offset, err)
	}
	return b, nil
}

// record reads the contents of a record whose offset and opcode come from an index.
func (f *Reader) record(want opcode, offset, length uint64) (*cursor, error) {
	if err := want.checkLength(length); err != nil {
		return nil, fmt.Errorf("mcap: at byte %d: %w", offset, err)
	}
	b, err := f.bytes(offset, length)
	if err != nil {
		return nil, err
	}
	if len(b) < recordHead || opcode(b[0]) != want || binary.LittleEndian.Uint64(b[1:]) != length-recordHead {
		return nil, fmt.Errorf("mcap: the index lists a record of kind %#x with %d bytes at byte %d, but it does not exist", byte(want), length, offset)
	}
	return &cursor{b: b[recordHead:]}, nil
}

// records decompresses a chunk and checks its CRC.
func (f *Reader) records(ref chunkRef) ([]byte, error) {
	if ref.loose {
		if err := opChunk.checkLength(ref.length); err != nil {
			return nil, fmt.Errorf("mcap: at byte %d: %w", ref.offset, err)
		}
		return f.bytes(ref.offset, ref.length)
	}
	c, err := f.record(opChunk, ref.offset, ref.length)
	if err != nil {
		return nil, err
	}
	k := c.chunk()
	if c.err != nil {
		return nil, fmt.Errorf("mcap: chunk at byte %d: %w", ref.offset, c.err)
	}
	b, err := f.decompress(k)
	if err != nil {
		return nil, fmt.Errorf("mcap: chunk at byte %d: %w", ref.offset, err)
	}
	return b, nil
}

func (f *Reader) decompress(k chunk) ([]byte, error) {
	if k.uncompressed > MaxChunk {
		return nil, fmt.Errorf("it claims %d bytes, more than the limit of %d", k.uncompressed, MaxChunk)
	}
	b := k.records
	switch k.compression {
	case "":
	case "zstd":
		var err error
		// Memory is allocated only as far as the data confirm the claim.
		if b, err = f.zstd.DecodeAll(k.records, make([]byte, 0, min(k.uncompressed, 4*ChunkSize))); err != nil {
			return nil, fmt.Errorf("decompressing: %w", err)
		}
	default:
		return nil, fmt.Errorf("compression %q is not supported: convert the file to zstd", k.compression)
	}
	if uint64(len(b)) != k.uncompressed {
		return nil, fmt.Errorf("it claims %d bytes but has %d", k.uncompressed, len(b))
	}
	if k.crc != 0 && k.crc != crc32.ChecksumIEEE(b) {
		return nil, errors.New("its CRC differs")
	}
	return b, nil
}
