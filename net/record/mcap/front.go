package mcap

import (
	"errors"
	"io"
)

// ReadFront reads the Header of a file and the Metadata that follow it immediately, which describe the file before
// its first message.
func ReadFront(r io.ReaderAt, size int64) (Header, []Metadata, error) {
	f := &Reader{r: r, size: size}
	f.clear()
	head, err := f.bytes(0, uint64(min(size, int64(len(magic)))))
	if err != nil {
		return Header{}, nil, err
	}
	if string(head) != magic {
		return Header{}, nil, ErrNotMCAP
	}
	if err := f.readFront(); err != nil {
		return Header{}, nil, err
	}
	at := uint64(len(magic))
	for {
		op, length, err := f.recordAt(at)
		if err != nil || op != opHeader && op != opMetadata {
			return f.header, f.metadata, nil
		}
		if op == opMetadata {
			if err := f.take(op, at, recordHead+length); err != nil {
				return f.header, f.metadata, nil
			}
		}
		at += recordHead + length
	}
}

// ErrNotMCAP is the error of a file in another format.
var ErrNotMCAP = errors.New("mcap: this is not an MCAP file: it does not start with the bytes 89 MCAP0")
