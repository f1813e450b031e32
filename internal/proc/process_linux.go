package proc

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Process is a process of this user that existed when it was found.
type Process struct {
	PID     int
	Group   int       // its process group
	Session int       // its session
	Mark    string    // the value of the variable that [Marked] looked for
	Command string    // its command line, the words separated by blanks
	Since   time.Time // when it started, to 10 ms
	start   uint64    // the same, in the kernel's ticks since the machine started
	handle  *os.Process
}

// identity distinguishes a process from any other, even one with the same number.
type identity struct {
	pid   int
	start uint64
}

func (p *Process) identity() identity { return identity{p.PID, p.start} }

// Marked returns this user's processes, except the caller, in whose environment the variable has a value that accept
// accepts. It finds processes in the caller's PID namespace only, not those in containers.
func Marked(variable string, accept func(value string) bool) []*Process {
	prefix := []byte(variable + "=")
	var found []*Process
	each(func(pid int) {
		if pid == os.Getpid() {
			return
		}
		p := open(pid)
		if p == nil {
			return
		}
		environment, err := environ(pid)
		if err != nil {
			return // it has ended, or its environment is not readable
		}
		for entry := range bytes.SplitSeq(environment, []byte{0}) {
			value, ok := bytes.CutPrefix(entry, prefix)
			if !ok {
				continue
			}
			if accept(string(value)) && sameSpace(pid) && p.hold() {
				p.Mark = string(value)
				found = append(found, p)
			}
			return
		}
	})
	return found
}

// Holders returns this user's processes that hold locks (F_OFD_SETLK) on bytes 0 to n-1 of a file, by byte.
func Holders(file string, n int) []*Process {
	holders := make([]*Process, n)
	info, err := os.Stat(file)
	if err != nil {
		return holders
	}
	each(func(pid int) {
		p := open(pid)
		if p == nil {
			return
		}
		entries, err := os.ReadDir(path(pid, "fd"))
		if err != nil {
			return
		}
		for _, e := range entries {
			name := path(pid, "fd/"+e.Name())
			if target, err := os.Readlink(name); err != nil || filepath.Base(target) != filepath.Base(file) {
				continue
			}
			if named, err := os.Stat(name); err != nil || !os.SameFile(named, info) {
				continue
			}
			text, err := os.ReadFile(path(pid, "fdinfo/"+e.Name()))
			if err != nil {
				continue
			}
			for i := range holders {
				if locks(text, i) && p.hold() {
					holders[i] = p
				}
			}
		}
	})
	return holders
}

// locks reports whether the kernel's description of a file descriptor contains a lock on a byte.
func locks(text []byte, at int) bool {
	for line := range bytes.Lines(text) {
		words := strings.Fields(string(line))
		if len(words) < 4 || words[0] != "lock:" || words[2] != "OFDLCK" {
			continue
		}
		first, err := strconv.Atoi(words[len(words)-2])
		if err != nil || at < first {
			continue
		}
		if last, err := strconv.Atoi(words[len(words)-1]); words[len(words)-1] == "EOF" || err == nil && at <= last {
			return true
		}
	}
	return false
}

// each calls do with the number of each of this user's processes.
func each(do func(pid int)) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return
	}
	uid := uint32(os.Getuid())
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		var status unix.Stat_t
		if unix.Stat(path(pid, ""), &status) == nil && status.Uid == uid {
			do(pid)
		}
	}
}

// open returns the process with a number, nil if there is none.
func open(pid int) *Process {
	s, ok := readStat(pid)
	if !ok || s.ended {
		return nil
	}
	return &Process{PID: pid, Group: s.group, Session: s.session, start: s.start}
}

// hold opens a handle of the process, and reports whether it is the process that was opened: then everything read
// about the number is about this process, and signals reach no other.
func (p *Process) hold() bool {
	if p.handle != nil {
		return true
	}
	handle, err := os.FindProcess(p.PID)
	if err != nil || !p.Alive() {
		return false
	}
	p.handle, p.Command, p.Since = handle, command(p.PID), bootTime().Add(time.Duration(p.start)*tick)
	return true
}

const (
	execPatience     = 5 * time.Second // for a process that begins a program to show its environment: it may lack a processor
	execPause        = time.Millisecond
	usualEnvironment = 64 << 10 // bytes that are read at first
)

// tick is the unit of times in /proc: 1/100 s on all machines that Go runs on.
const tick = 10 * time.Millisecond

// stat is what the kernel reports about a process.
type stat struct {
	ended          bool // a zombie, and none of its threads runs any more
	group, session int
	start          uint64
	noEnvironment  bool // it is empty; false also while the process begins a program
}

func readStat(pid int) (s stat, ok bool) {
	text, err := os.ReadFile(path(pid, "stat"))
	if err != nil {
		return s, false
	}
	words := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // the name before may contain anything
	const state, group, session, threads, start, code, environmentStart, environmentEnd = 0, 2, 3, 17, 19, 23, 47, 48
	if len(words) <= environmentEnd {
		return s, false
	}
	last := words[threads] == "0" || words[threads] == "1" // others may still hold what the process has open
	s.ended = last && (words[state] == "Z" || words[state] == "X")
	s.group, _ = strconv.Atoi(words[group])
	s.session, _ = strconv.Atoi(words[session])
	s.start, err = strconv.ParseUint(words[start], 10, 64)
	s.noEnvironment = words[environmentStart] == words[environmentEnd] && words[code] != "0" // the kernel sets its code's addresses last
	return s, err == nil
}

// bootTime returns when the machine started, by today's clock.
func bootTime() time.Time {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &t) != nil {
		return time.Time{}
	}
	return time.Now().Add(-time.Duration(t.Nano()))
}

// environ returns the environment of a process. While the process begins another program the kernel shows none, and the rest of one
// that is read in parts is lost: environ reads it at once, and waits where there is none yet.
func environ(pid int) ([]byte, error) {
	buffer := make([]byte, usualEnvironment)
	for deadline := time.Now().Add(execPatience); ; time.Sleep(execPause) {
		file, err := os.Open(path(pid, "environ"))
		if err != nil {
			return nil, err
		}
		n, err := file.Read(buffer)
		_ = file.Close() // it was only read
		switch {
		case err != nil && err != io.EOF:
			return nil, err
		case n == len(buffer):
			buffer = make([]byte, 2*len(buffer))
			continue
		case n > 0:
			return buffer[:n], nil
		}
		if s, ok := readStat(pid); !ok || s.ended || s.noEnvironment || time.Now().After(deadline) {
			return nil, nil
		}
	}
}

// command returns the command line of a process.
func command(pid int) string {
	text, err := os.ReadFile(path(pid, "cmdline"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(strings.ReplaceAll(string(text), "\x00", " "))
}

// sameSpace reports whether a process is in the same PID namespace as this one.
func sameSpace(pid int) bool {
	theirs, err := os.Readlink(path(pid, "ns/pid"))
	if err != nil {
		return false
	}
	own, err := os.Readlink("/proc/self/ns/pid")
	return err == nil && own == theirs
}

func path(pid int, file string) string { return filepath.Join("/proc", strconv.Itoa(pid), file) }

// Lives reports whether a process with this number exists and is not a zombie: one whose threads have all ended, and which waits for its
// parent.
func Lives(pid int) bool { return open(pid) != nil }

// Alive reports whether the process exists and is not a zombie.
func (p *Process) Alive() bool {
	s, ok := readStat(p.PID)
	return ok && !s.ended && s.start == p.start
}

// Signal sends a signal to the process; it fails if the process has ended.
func (p *Process) Signal(s syscall.Signal) error {
	if !p.Alive() { // older kernels have no process handles
		return fmt.Errorf("signal process %d: %w", p.PID, os.ErrProcessDone)
	}
	return p.handle.Signal(s)
}
