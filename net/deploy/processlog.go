package deploy

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// logPath is where the output of a process goes.
func (s *supervisor) logPath(process string) string { return filepath.Join(s.folder, process+".log") }

// openLog opens the output of a process for more; what is too long becomes the older part.
func openLog(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > maxLog {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, err
		}
	}
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

// lastLine returns the last line of a process's output.
func (s *supervisor) lastLine(process string) string {
	file, err := os.Open(s.logPath(process))
	if err != nil {
		return ""
	}
	defer file.Close()
	const tail = 4096
	if info, err := file.Stat(); err == nil && info.Size() > tail {
		_, _ = file.Seek(-tail, io.SeekEnd)
	}
	text, err := io.ReadAll(io.LimitReader(file, tail))
	if err != nil && !errors.Is(err, io.EOF) {
		return ""
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return string(lines[len(lines)-1])
}
