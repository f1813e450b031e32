package mcap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// readIndex reads everything from the summary after the data. It fails if there is no summary, it is damaged, or it
// does not locate all messages.
func (f *Reader) readIndex() error {
	tail := uint64(footerLength + len(magic))
	if uint64(f.size) < tail+uint64(len(magic)) {
		return errors.New("mcap: the file is cut off: there is no room for its end")
	}
	end, err := f.bytes(uint64(f.size)-tail, tail)
	if err != nil {
		return err
	}
	if string(end[footerLength:]) != magic || opcode(end[0]) != opFooter || binary.LittleEndian.Uint64(end[1:]) != footerLength-recordHead {
		return errors.New("mcap: the file is cut off: it does not end with a footer")
	}
	c := cursor{b: end[recordHead:footerLength]}
	start, _, crc := c.u64(), c.u64(), c.u32()
	if start == 0 {
		return errors.New("mcap: the file has no index")
	}
	footer := uint64(f.size) - tail
	if start > footer {
		return errors.New("mcap: the index is damaged: it starts after its end")
	}
	if footer-start > maxIndex {
		return fmt.Errorf("mcap: the index has %d bytes, more than the limit of %d", footer-start, maxIndex)
	}
	b, err := f.bytes(start, footer+footerLength-start)
	if err != nil {
		return err
	}
	if crc != 0 && crc != crc32.ChecksumIEEE(b[:len(b)-4]) {
		return errors.New("mcap: the index is damaged: its CRC differs")
	}
	if err := f.indexRecords(b[:len(b)-footerLength], start); err != nil {
		return err
	}
	return f.readFront()
}

// indexRecords reads the records of the summary.
func (f *Reader) indexRecords(b []byte, at uint64) error {
	haveStatistics := false
	var metadata []metadataIndex
	places := map[uint64]bool{} // of chunks
	for len(b) > 0 {
		op, c, rest, err := next(b)
		if err != nil {
			return fmt.Errorf("mcap: index at byte %d: %w", at, err)
		}
		switch op {
		case opSchema, opChannel:
			if err := f.describe(op, c); err != nil {
				return fmt.Errorf("mcap: index at byte %d: %w", at, err)
			}
		case opStatistics:
			f.stats = *c.statistics()
			haveStatistics = true
		case opChunkIndex:
			k := c.chunkIndex()
			if places[k.offset] {
				return fmt.Errorf("mcap: index at byte %d: %w", at, errTwice)
			}
			places[k.offset] = true
			f.chunks = append(f.chunks, chunkRef{start: k.start, end: k.end, offset: k.offset, length: k.length, counts: k.indexOffsets})
			if k.indexLength == 0 {
				f.chunks[len(f.chunks)-1].counts = nil // not indexed: it may hold any channel
			}
		case opAttachmentIndex:
			f.attachments = append(f.attachments, c.attachmentIndex())
		case opMetadataIndex:
			metadata = append(metadata, c.metadataIndex())
		}
		if c.err != nil {
			return fmt.Errorf("mcap: index at byte %d: %w", at, c.err)
		}
		at += uint64(len(b) - len(rest))
		b = rest
	}
	if !haveStatistics {
		return errors.New("mcap: the index has no statistics")
	}
	if uint32(len(f.chunks)) != f.stats.Chunks || len(f.chunks) == 0 && f.stats.Messages > 0 ||
		uint32(len(f.channels)) != f.stats.Channels || uint32(len(f.attachments)) != f.stats.Attachments || uint32(len(metadata)) != f.stats.Metadata {
		return errors.New("mcap: the index is not complete")
	}
	for _, m := range metadata {
		c, err := f.record(opMetadata, m.offset, m.length)
		if err != nil {
			return err
		}
		if err := f.addMetadata(c); err != nil {
			return fmt.Errorf("mcap: metadata at byte %d: %w", m.offset, err)
		}
	}
	return nil
}

// readFront reads the Header.
func (f *Reader) readFront() error {
	head, err := f.bytes(uint64(len(magic)), recordHead)
	if err != nil {
		return err
	}
	length := binary.LittleEndian.Uint64(head[1:])
	if length > uint64(f.size) {
		return errors.New("mcap: the header is damaged")
	}
	c, err := f.record(opHeader, uint64(len(magic)), recordHead+length)
	if err != nil {
		return err
	}
	f.header = c.header()
	return c.err
}

// next splits the first record off a sequence of records.
func next(b []byte) (op opcode, contents *cursor, rest []byte, err error) {
	if len(b) < recordHead {
		return 0, nil, nil, errors.New("a record is cut off")
	}
	length := binary.LittleEndian.Uint64(b[1:])
	if length > uint64(len(b)-recordHead) {
		return 0, nil, nil, errors.New("a record is longer than the section that contains it")
	}
	end := recordHead + int(length)
	return opcode(b[0]), &cursor{b: b[recordHead:end]}, b[end:], nil
}
