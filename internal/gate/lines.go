package main

import (
	"bytes"
	"io"
	"sync"
)

// lockedWriter lets stages that run side by side write to one place.
type lockedWriter struct {
	mutex sync.Mutex
	to    io.Writer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.to.Write(p)
}

// lineWriter passes on whole lines, each behind the name of its stage.
type lineWriter struct {
	prefix string
	to     io.Writer
	begun  []byte // of a line that has not ended
}

// end passes on a line that was not ended.
func (w *lineWriter) end() {
	if len(w.begun) > 0 {
		_, _ = w.Write([]byte{'\n'})
	}
}

// mostBegun is the length at which a line is passed on in pieces.
const mostBegun = 4 << 10

func (w *lineWriter) Write(p []byte) (int, error) {
	w.begun = append(w.begun, p...)
	var whole []byte
	for {
		line, rest, ended := bytes.Cut(w.begun, []byte{'\n'})
		if !ended && len(line) < mostBegun {
			break
		}
		whole = append(append(append(whole, w.prefix...), line...), '\n')
		w.begun = rest
	}
	if len(whole) == 0 {
		return len(p), nil
	}
	if _, err := w.to.Write(whole); err != nil {
		return 0, err
	}
	return len(p), nil
}
