package mcap

import (
	"errors"
	"fmt"
)

// Limits of a Reader. They are far from what writers produce, and keep a small hostile file from taking as much
// memory as a large one.
const (
	// MaxChunk is the largest uncompressed size of a chunk, and of a message outside chunks, in bytes.
	MaxChunk = 64 << 20
	// maxOpen limits the decompressed chunks with overlapping times that are held at once, in bytes.
	maxOpen = 2 * MaxChunk
	// maxDescription is the largest schema, channel or metadata record in bytes.
	maxDescription = 4 << 20
	// maxDescriptions limits the sum of all schema, channel and metadata records, in bytes.
	maxDescriptions = 64 << 20
	// maxIndex is the largest index in bytes. A file with a larger one is scanned from the beginning.
	maxIndex = 1 << 30
	// maxAttachment is the largest file within the file, in bytes.
	maxAttachment = 1 << 30
	// maxCounts limits the number of message counts (one for each channel of a chunk) that a scan keeps. Further
	// chunks are read for every channel.
	maxCounts = 1 << 20
	// maxDensity limits the messages of a chunk to this number for each byte of the chunk in the file. Distinct time
	// stamps need more bytes.
	maxDensity = 1
	// maxDamage is the maximum number of problems that Damage lists.
	maxDamage = 100
	// fewMessages is the number of messages that a chunk of any size may hold.
	fewMessages = 1024

	// entryCost is the overhead of a map entry, in bytes.
	entryCost = 64
)

var (
	errDense      = fmt.Errorf("it holds more than %d message for each of its bytes: real time stamps do not compress that well", maxDensity)
	errOpen       = fmt.Errorf("more than %d bytes of chunks overlap in time: too many to sort", maxOpen)
	errMoreDamage = errors.New("mcap: more damage was found than is listed here")
	errTwice      = errors.New("the index names the same chunk twice")
)

// maxLength returns the largest length of a record of a kind, in bytes.
func (op opcode) maxLength() uint64 {
	switch op {
	case opSchema, opChannel, opMetadata, opHeader:
		return maxDescription
	case opMessage:
		return MaxChunk
	case opChunk: // not compressed, with a head
		return MaxChunk + 1<<10
	case opAttachment:
		return maxAttachment
	}
	return maxIndex
}

// checkLength returns an error if a record cannot have the claimed length.
func (op opcode) checkLength(length uint64) error {
	if most := op.maxLength(); length > most {
		return fmt.Errorf("a record of kind %#x claims %d bytes, more than the limit of %d", byte(op), length, most)
	}
	return nil
}

// maxMessages returns how many messages a part of the file may hold.
func (ref chunkRef) maxMessages() uint64 { return maxDensity*ref.length + fewMessages }

// hold accounts for descriptions kept in memory: come bytes are added, go bytes are replaced.
func (f *Reader) hold(come, gone int) error {
	f.held += come - gone
	if f.held > maxDescriptions {
		f.held -= come - gone
		return fmt.Errorf("schemas, channels and metadata take more than the limit of %d bytes", maxDescriptions)
	}
	return nil
}
