package deploy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/sinew-robotics/sinew/internal/private"
)

// note writes what the supervisor does about a process into its own log, and publishes it. Lines that processes have printed before get their times before.
func (s *supervisor) note(process, format string, args ...any) {
	s.index.look()
	text := fmt.Sprintf(format, args...)
	if process != "" {
		text = process + ": " + text
	}
	fmt.Fprintln(s.notes, text)
	s.queue.add(time.Now(), text)
	s.index.look()
}

// watchLogs looks at the outputs of the processes until the context ends.
func (s *supervisor) watchLogs(ctx context.Context) {
	ticker := time.NewTicker(LogPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			s.index.look()
		case <-ctx.Done():
			return
		}
	}
}

// lastLine returns the last line of a process's output; "" where it has written none.
func (s *supervisor) lastLine(process string) string {
	file, err := private.Open(logPath(s.folder, process), os.O_RDONLY)
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
