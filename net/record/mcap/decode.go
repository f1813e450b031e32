package mcap

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

var errShort = errors.New("a record ends before its fields do")

// cursor reads the fields of a record. After an error it reads zeros.
type cursor struct {
	b   []byte
	err error
}

func (c *cursor) take(n uint64) []byte {
	if c.err != nil || n > uint64(len(c.b)) {
		c.err = errShort
		return nil
	}
	head := c.b[:n:n]
	c.b = c.b[n:]
	return head
}

func (c *cursor) u16() uint16 {
	if b := c.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (c *cursor) u32() uint32 {
	if b := c.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (c *cursor) u64() uint64 {
	if b := c.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (c *cursor) string() string { return string(c.take(uint64(c.u32()))) }

func (c *cursor) strings() map[string]string {
	inner := cursor{b: c.take(uint64(c.u32()))}
	m := map[string]string{}
	for len(inner.b) > 0 && inner.err == nil {
		k := inner.string()
		m[k] = inner.string()
	}
	if inner.err != nil {
		c.err = inner.err
	}
	return m
}

func (c *cursor) numbers() map[uint16]uint64 {
	inner := cursor{b: c.take(uint64(c.u32()))}
	m := map[uint16]uint64{}
	for len(inner.b) > 0 && inner.err == nil {
		k := inner.u16()
		m[k] = inner.u64()
	}
	if inner.err != nil {
		c.err = inner.err
	}
	return m
}

func (c *cursor) header() Header { return Header{c.string(), c.string()} }

func (c *cursor) schema() *Schema {
	return &Schema{ID: c.u16(), Name: c.string(), Encoding: c.string(), Data: c.take(uint64(c.u32()))}
}

func (c *cursor) channel() *Channel {
	return &Channel{ID: c.u16(), SchemaID: c.u16(), Topic: c.string(), Encoding: c.string(), Metadata: c.strings()}
}

func (c *cursor) message() Message {
	m := Message{ChannelID: c.u16(), Sequence: c.u32(), LogTime: c.u64(), PublishTime: c.u64()}
	m.Data, c.b = c.b, nil
	return m
}

func (c *cursor) metadata() Metadata { return Metadata{c.string(), c.strings()} }

// chunk is a Chunk record before its contents are decoded.
type chunk struct {
	start, end   uint64
	uncompressed uint64
	crc          uint32 // of the uncompressed records, 0: unknown
	compression  string
	records      []byte
}

func (c *cursor) chunk() chunk {
	k := chunk{start: c.u64(), end: c.u64(), uncompressed: c.u64(), crc: c.u32(), compression: c.string()}
	k.records = c.take(c.u64())
	return k
}

var errAttachmentCRC = errors.New("the attachment is damaged: its CRC differs")

func (c *cursor) attachment() Attachment {
	all := c.b
	a := Attachment{LogTime: c.u64(), CreateTime: c.u64(), Name: c.string(), MediaType: c.string()}
	a.Data = c.take(c.u64())
	covered := all[:len(all)-len(c.b)]
	if crc := c.u32(); c.err == nil && crc != 0 && crc != crc32.ChecksumIEEE(covered) {
		c.err = errAttachmentCRC
	}
	return a
}

func (c *cursor) chunkIndex() chunkIndex {
	return chunkIndex{
		start: c.u64(), end: c.u64(), offset: c.u64(), length: c.u64(), indexOffsets: c.numbers(), indexLength: c.u64(),
		compression: c.string(), compressed: c.u64(), uncompressed: c.u64(),
	}
}

func (c *cursor) attachmentIndex() attachmentIndex {
	return attachmentIndex{
		offset: c.u64(), length: c.u64(), logTime: c.u64(), createTime: c.u64(), dataSize: c.u64(),
		name: c.string(), mediaType: c.string(),
	}
}

func (c *cursor) metadataIndex() metadataIndex {
	return metadataIndex{offset: c.u64(), length: c.u64(), name: c.string()}
}

func (c *cursor) statistics() *Statistics {
	return &Statistics{
		Messages: c.u64(), Schemas: c.u16(), Channels: c.u32(), Attachments: c.u32(), Metadata: c.u32(), Chunks: c.u32(),
		Start: c.u64(), End: c.u64(), ChannelCount: c.numbers(),
	}
}
