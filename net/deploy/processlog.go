package deploy

import (
	"context"
	"fmt"
	"time"
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
	return s.index.lastLine(logPath(s.folder, process))
}
