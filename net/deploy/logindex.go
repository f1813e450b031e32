package deploy

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/private"
)

// LogPeriod is how often a supervisor looks whether the outputs of its processes have grown: the times of their lines are late by at
// most that, on a machine that is not overloaded.
const LogPeriod = 20 * time.Millisecond

const (
	timesSuffix = ".times" // of the index beside an output
	oldSuffix   = ".1"     // of the older part of an output, and of its index
	entrySize   = 16       // bytes of an entry
)

// logIndex notes when the outputs of processes grew. The processes write into their files themselves, so that they can continue to
// do so when the supervisor was killed. The index of a file is another, with entries of two little-endian integers of 64 bits: a size
// of the file, and when it had reached that size, in ns since 1970; 0 where that is not known. Its methods may be called from any
// goroutine.
type logIndex struct {
	mu   sync.Mutex
	logs map[string]*indexedLog // by path
}

type indexedLog struct {
	path  string
	times *os.File
	size  int64 // at the last look
	last  string
	until int64 // the size of the output whose last line is kept in last
}

// open opens the output of a process for more, and begins to look at it; what is too long becomes the older part.
func (x *logIndex) open(path string) (*os.File, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	l := x.logs[path]
	if l != nil {
		l.look()
	}
	if info, err := os.Stat(path); err == nil && info.Size() > maxLog {
		if l != nil {
			_ = l.times.Close()
			l = nil
		}
		_ = os.Rename(path+timesSuffix, path+oldSuffix+timesSuffix) // it has no index if an earlier version wrote it
		if err := os.Rename(path, path+oldSuffix); err != nil {
			return nil, err
		}
	}
	file, err := private.Open(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
	if err != nil || l != nil {
		return file, err
	}
	l = &indexedLog{path: path}
	if l.times, err = private.Open(path+timesSuffix, os.O_CREATE|os.O_APPEND|os.O_WRONLY); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if info, err := file.Stat(); err == nil && info.Size() > 0 { // written while no supervisor looked
		l.note(info.Size(), 0)
	}
	if x.logs == nil {
		x.logs = map[string]*indexedLog{}
	}
	x.logs[path] = l
	return file, nil
}

// look notes which outputs have grown.
func (x *logIndex) look() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, l := range x.logs {
		l.look()
	}
}

func (l *indexedLog) look() {
	if info, err := os.Stat(l.path); err == nil && info.Size() != l.size {
		l.note(info.Size(), time.Now().UnixNano())
	}
}

func (l *indexedLog) note(size, at int64) {
	var entry [entrySize]byte
	binary.LittleEndian.PutUint64(entry[:], uint64(size))
	binary.LittleEndian.PutUint64(entry[8:], uint64(at))
	_, _ = l.times.Write(entry[:]) // on a full disk lines have no times
	l.size = size
}

// lastLine returns the last line of an output that was opened, of at most 4 kB; "" where there is none. Each request for a status asks
// for it, so that the output is read only when it has grown.
func (x *logIndex) lastLine(path string) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	l := x.logs[path]
	if l == nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() == l.until {
		return l.last
	}
	if text, err := readTail(path, 4096); err == nil {
		l.last, l.until = lastLine(text), info.Size()
	}
	return l.last
}

// readTail returns the end of a file, at most a number of bytes of it.
func readTail(path string, most int64) ([]byte, error) {
	file, err := private.Open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > most {
		_, _ = file.Seek(-most, io.SeekEnd)
	}
	return io.ReadAll(io.LimitReader(file, most))
}

// close ends looking.
func (x *logIndex) close() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, l := range x.logs {
		_ = l.times.Close()
	}
	x.logs = nil
}

// SupervisorLog is the name under which [Client.Tail] returns what a supervisor did: processes that it started, restarted and
// stopped.
const SupervisorLog = "supervisor"

// logPath returns the file of a process's output, or of the supervisor's own.
func logPath(folder, process string) string {
	if process == SupervisorLog {
		return filepath.Join(folder, outputName)
	}
	return filepath.Join(folder, process+".log")
}

// LogLine is a line that a process of a system has printed.
type LogLine struct {
	Process string    `json:"process"`
	Text    string    `json:"text"`
	Time    time.Time `json:"time,omitzero"` // by the clock of its host, up to LogPeriod late; zero where no supervisor looked
}

// LogTail reads the output of a process.
type LogTail struct {
	process string
	path    string
	at      int64  // where the next line begins
	times   []byte // the entries of the index for what follows at, and perhaps some before
	timesAt int64  // where the index was left off
}

// Tail returns the output of a process on this host from its beginning; the process [SupervisorLog] is the supervisor.
func (c Client) Tail(process string) *LogTail {
	return &LogTail{process: process, path: logPath(c.Folder, process)}
}

// Read returns the lines that have come since the last call. A line that has no end yet is left for the next call, unless last is
// set.
func (t *LogTail) Read(last bool) (lines []LogLine) {
	if info, err := os.Stat(t.path); err == nil && info.Size() < t.at {
		t.at, t.times, t.timesAt = 0, nil, 0 // it was too long, and starts again
	}
	text := readFrom(t.path, t.at)
	if len(text) == 0 {
		return nil
	}
	if t.readTimes(); t.indexed() < t.at+int64(len(text)) {
		time.Sleep(2 * LogPeriod) // the supervisor looks soon
		t.readTimes()
	}
	for len(text) > 0 {
		end := len(text)
		for i, c := range text {
			if c == '\n' {
				end = i + 1
				break
			}
		}
		line := text[:end]
		if line[end-1] != '\n' && !last {
			break
		}
		for n := len(line); n > 0 && (line[n-1] == '\n' || line[n-1] == '\r'); n = len(line) {
			line = line[:n-1]
		}
		lines = append(lines, LogLine{t.process, string(line), t.timeAt(t.at)})
		t.at += int64(end)
		text = text[end:]
	}
	return lines
}

// readTimes reads the new entries of the index.
func (t *LogTail) readTimes() {
	fresh := readFrom(t.path+timesSuffix, t.timesAt)
	fresh = fresh[:len(fresh)/entrySize*entrySize]
	t.timesAt += int64(len(fresh))
	t.times = append(t.times, fresh...)
}

// indexed returns the size of the output that the index knows of.
func (t *LogTail) indexed() int64 {
	if len(t.times) == 0 {
		return t.at
	}
	return int64(binary.LittleEndian.Uint64(t.times[len(t.times)-entrySize:]))
}

// timeAt returns when what stands at a place was printed; places do not decrease from call to call.
func (t *LogTail) timeAt(at int64) time.Time {
	for len(t.times) > 0 && int64(binary.LittleEndian.Uint64(t.times)) <= at {
		t.times = t.times[entrySize:]
	}
	if len(t.times) == 0 {
		return time.Time{}
	}
	ns := int64(binary.LittleEndian.Uint64(t.times[8:]))
	if ns == 0 {
		return time.Time{}
	}
	return time.Unix(0, ns)
}

// readFrom returns what a file holds from a place on; nothing where it cannot be read.
func readFrom(path string, at int64) []byte {
	file, err := private.Open(path, os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer file.Close()
	if _, err := file.Seek(at, io.SeekStart); err != nil {
		return nil
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil
	}
	return text
}
