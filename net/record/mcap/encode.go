package mcap

import (
	"encoding/binary"
	"hash/crc32"
	"maps"
	"slices"
)

// buffer appends records. All numbers are little-endian.
type buffer []byte

func (b *buffer) u16(v uint16) { *b = binary.LittleEndian.AppendUint16(*b, v) }
func (b *buffer) u32(v uint32) { *b = binary.LittleEndian.AppendUint32(*b, v) }
func (b *buffer) u64(v uint64) { *b = binary.LittleEndian.AppendUint64(*b, v) }

func (b *buffer) string(s string) {
	b.u32(uint32(len(s)))
	*b = append(*b, s...)
}

// strings appends a map sorted by its keys, so that equal files have equal bytes.
func (b *buffer) strings(m map[string]string) {
	size := 0
	for k, v := range m {
		size += 8 + len(k) + len(v)
	}
	b.u32(uint32(size))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		b.string(k)
		b.string(m[k])
	}
}

func (b *buffer) numbers(m map[uint16]uint64) {
	b.u32(uint32(10 * len(m)))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		b.u16(k)
		b.u64(m[k])
	}
}

// begin starts a record; end fills in its length.
func (b *buffer) begin(op opcode) (at int) {
	*b = append(*b, byte(op), 0, 0, 0, 0, 0, 0, 0, 0)
	return len(*b)
}

func (b *buffer) end(at int) {
	binary.LittleEndian.PutUint64((*b)[at-8:], uint64(len(*b)-at))
}

func (b *buffer) header(h Header) {
	at := b.begin(opHeader)
	b.string(h.Profile)
	b.string(h.Library)
	b.end(at)
}

func (b *buffer) schema(s *Schema) {
	at := b.begin(opSchema)
	b.u16(s.ID)
	b.string(s.Name)
	b.string(s.Encoding)
	b.u32(uint32(len(s.Data)))
	*b = append(*b, s.Data...)
	b.end(at)
}

func (b *buffer) channel(c *Channel) {
	at := b.begin(opChannel)
	b.u16(c.ID)
	b.u16(c.SchemaID)
	b.string(c.Topic)
	b.string(c.Encoding)
	b.strings(c.Metadata)
	b.end(at)
}

func (b *buffer) message(m *Message) {
	var head [recordHead + 22]byte
	head[0] = byte(opMessage)
	le := binary.LittleEndian
	le.PutUint64(head[1:], uint64(22+len(m.Data)))
	le.PutUint16(head[9:], m.ChannelID)
	le.PutUint32(head[11:], m.Sequence)
	le.PutUint64(head[15:], m.LogTime)
	le.PutUint64(head[23:], m.PublishTime)
	*b = append(append(*b, head[:]...), m.Data...)
}

func (b *buffer) metadata(m *Metadata) {
	at := b.begin(opMetadata)
	b.string(m.Name)
	b.strings(m.Values)
	b.end(at)
}

func (b *buffer) attachment(a *Attachment) {
	at := b.begin(opAttachment)
	b.u64(a.LogTime)
	b.u64(a.CreateTime)
	b.string(a.Name)
	b.string(a.MediaType)
	b.u64(uint64(len(a.Data)))
	*b = append(*b, a.Data...)
	b.u32(crc32.ChecksumIEEE((*b)[at:]))
	b.end(at)
}

func (b *buffer) chunkIndex(c *chunkIndex) {
	at := b.begin(opChunkIndex)
	b.u64(c.start)
	b.u64(c.end)
	b.u64(c.offset)
	b.u64(c.length)
	b.numbers(c.indexOffsets)
	b.u64(c.indexLength)
	b.string(c.compression)
	b.u64(c.compressed)
	b.u64(c.uncompressed)
	b.end(at)
}

func (b *buffer) attachmentIndex(a *attachmentIndex) {
	at := b.begin(opAttachmentIndex)
	b.u64(a.offset)
	b.u64(a.length)
	b.u64(a.logTime)
	b.u64(a.createTime)
	b.u64(a.dataSize)
	b.string(a.name)
	b.string(a.mediaType)
	b.end(at)
}

func (b *buffer) metadataIndex(m *metadataIndex) {
	at := b.begin(opMetadataIndex)
	b.u64(m.offset)
	b.u64(m.length)
	b.string(m.name)
	b.end(at)
}

func (b *buffer) statistics(s *Statistics) {
	at := b.begin(opStatistics)
	b.u64(s.Messages)
	b.u16(s.Schemas)
	b.u32(s.Channels)
	b.u32(s.Attachments)
	b.u32(s.Metadata)
	b.u32(s.Chunks)
	b.u64(s.Start)
	b.u64(s.End)
	b.numbers(s.ChannelCount)
	b.end(at)
}
