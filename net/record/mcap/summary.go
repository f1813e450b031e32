package mcap

import "hash/crc32"

// Close writes the last chunk, the index and the end of the file. It does not close the io.Writer.
func (f *Writer) Close() error {
	if err := f.Flush(); err != nil {
		return err
	}
	b := &f.out
	at := b.begin(opDataEnd)
	b.u32(f.crc)
	b.end(at)
	dataEnd := len(*b)

	s := summary{b: b, base: f.offset}
	s.group(opSchema, len(f.schemas), func(i int) { b.schema(f.schemas[i]) })
	s.group(opChannel, len(f.channels), func(i int) { b.channel(f.channels[i]) })
	stats := f.stats
	stats.Schemas = uint16(len(f.schemas))
	stats.Channels = uint32(len(f.channels))
	stats.Attachments = uint32(len(f.attachments))
	stats.Metadata = uint32(len(f.metadata))
	stats.Chunks = uint32(len(f.chunks))
	s.group(opStatistics, 1, func(int) { b.statistics(&stats) })
	s.group(opChunkIndex, len(f.chunks), func(i int) {
		k := f.chunks[i].index()
		b.chunkIndex(&k)
	})
	s.group(opAttachmentIndex, len(f.attachments), func(i int) { b.attachmentIndex(&f.attachments[i]) })
	s.group(opMetadataIndex, len(f.metadata), func(i int) { b.metadataIndex(&f.metadata[i]) })
	offsets := len(*b)
	*b = append(*b, s.offsets...)

	at = b.begin(opFooter)
	b.u64(f.offset + uint64(dataEnd))
	b.u64(f.offset + uint64(offsets))
	// The CRC covers the record's own header, so its length must be written first.
	*b = append(*b, 0, 0, 0, 0)
	b.end(at)
	crc := crc32.ChecksumIEEE((*b)[dataEnd : len(*b)-4])
	*b = (*b)[:len(*b)-4]
	b.u32(crc)
	*b = append(*b, magic...)
	return f.write()
}

// summary writes the groups of records after the data, and the offset of each group.
type summary struct {
	b       *buffer
	base    uint64 // offset of b in the file
	offsets buffer
}

func (s *summary) group(op opcode, n int, write func(i int)) {
	if n == 0 {
		return
	}
	start := len(*s.b)
	for i := range n {
		write(i)
	}
	at := s.offsets.begin(opSummaryOffset)
	s.offsets = append(s.offsets, byte(op))
	s.offsets.u64(s.base + uint64(start))
	s.offsets.u64(uint64(len(*s.b) - start))
	s.offsets.end(at)
}
