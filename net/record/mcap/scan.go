package mcap

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// scan reads the file record by record and takes all complete ones: so a file that a crash cut off can be read.
// Problems go to damage.
func (f *Reader) scan() {
	var loose *chunkRef
	at := uint64(len(magic))
	for at < uint64(f.size) {
		op, length, err := f.recordAt(at)
		if err != nil {
			f.damaged(err)
			break
		}
		if op == opDataEnd || op == opFooter {
			break
		}
		end := at + recordHead + length
		switch op {
		case opSchema, opChannel, opMessage:
			if loose != nil && end-loose.offset > MaxChunk {
				f.takeLoose(loose)
				loose = nil
			}
			if loose == nil {
				loose = &chunkRef{offset: at, loose: true}
			}
			loose.length = end - loose.offset
		default:
			f.takeLoose(loose)
			loose = nil
			if err := f.take(op, at, recordHead+length); err != nil {
				f.damaged(err)
			}
		}
		at = end
	}
	f.takeLoose(loose)
	f.stats.Schemas = uint16(len(f.schemas))
	f.stats.Channels = uint32(len(f.channels))
	f.stats.Attachments = uint32(len(f.attachments))
	f.stats.Metadata = uint32(len(f.metadata))
}

// damaged records a problem of the file. Only the first maxDamage are kept.
func (f *Reader) damaged(err error) {
	switch n := len(f.damage); {
	case n < maxDamage:
		f.damage = append(f.damage, err)
	case n == maxDamage:
		f.damage = append(f.damage, errMoreDamage)
	}
}

// recordAt reads the header of a record and checks that the record is complete.
func (f *Reader) recordAt(at uint64) (op opcode, length uint64, err error) {
	left := uint64(f.size) - at
	if left < recordHead {
		return 0, 0, fmt.Errorf("mcap: the file is cut off within the record at byte %d", at)
	}
	head, err := f.bytes(at, recordHead)
	if err != nil {
		return 0, 0, err
	}
	length = binary.LittleEndian.Uint64(head[1:])
	if head[0] == 0 {
		return 0, 0, fmt.Errorf("mcap: no record at byte %d, the file is damaged from there on", at)
	}
	if length > left-recordHead {
		return 0, 0, fmt.Errorf("mcap: the file is cut off within the record at byte %d: %d bytes are missing", at, length-(left-recordHead))
	}
	return opcode(head[0]), length, nil
}

// take handles one record outside chunks.
func (f *Reader) take(op opcode, offset, length uint64) error {
	if op == opChunk {
		return f.takeChunk(chunkRef{offset: offset, length: length})
	}
	if op != opHeader && op != opAttachment && op != opMetadata {
		return nil
	}
	c, err := f.record(op, offset, length)
	if err != nil {
		return err
	}
	switch op {
	case opHeader:
		f.header = c.header()
	case opMetadata:
		if err := f.addMetadata(c); err != nil {
			return fmt.Errorf("mcap: record at byte %d: %w", offset, err)
		}
	case opAttachment:
		if a := c.attachment(); c.err == nil {
			f.attachments = append(f.attachments, attachmentIndex{offset, length, a.LogTime, a.CreateTime, uint64(len(a.Data)), a.Name, a.MediaType})
		}
	}
	if c.err != nil {
		return fmt.Errorf("mcap: record at byte %d: %w", offset, c.err)
	}
	return nil
}

func (f *Reader) takeLoose(ref *chunkRef) {
	if ref != nil {
		if err := f.takeChunk(*ref); err != nil {
			f.damaged(err)
		}
	}
}

// takeChunk reads what a chunk holds. A damaged chunk is skipped as a whole.
func (f *Reader) takeChunk(ref chunkRef) error {
	records, err := f.records(ref)
	if err != nil {
		return err
	}
	ref.counts = map[uint16]uint64{}
	messages, most := uint64(0), ref.maxMessages()
	for len(records) > 0 {
		op, c, rest, err := next(records)
		if err == nil {
			switch op {
			case opSchema, opChannel:
				c.err = f.describe(op, c)
			case opMessage:
				if messages >= most {
					c.err = errDense
					break
				}
				m := c.message()
				if c.err == nil && f.channels[m.ChannelID] == nil {
					c.err = errNoChannel
				}
				if messages == 0 {
					ref.start, ref.end = m.LogTime, m.LogTime
				}
				ref.start, ref.end = min(ref.start, m.LogTime), max(ref.end, m.LogTime)
				ref.counts[m.ChannelID]++
				messages++
			}
			err = c.err
		}
		if err != nil {
			return fmt.Errorf("mcap: chunk at byte %d: %w", ref.offset, err)
		}
		records = rest
	}
	if !ref.loose {
		f.stats.Chunks++
	}
	if messages == 0 {
		return nil
	}
	if f.stats.Messages == 0 {
		f.stats.Start, f.stats.End = ref.start, ref.end
	}
	f.stats.Start, f.stats.End = min(f.stats.Start, ref.start), max(f.stats.End, ref.end)
	f.stats.Messages += messages
	for id, n := range ref.counts {
		f.stats.ChannelCount[id] += n
	}
	if f.counted += len(ref.counts); f.counted > maxCounts {
		ref.counts = nil // it may hold any channel
	}
	f.chunks = append(f.chunks, ref)
	return nil
}

var errNoChannel = errors.New("a message on a channel that was not described before")
