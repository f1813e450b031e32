package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// The size of a terminal of tests: long lines do not wrap, and a run scrolls.
const (
	terminalRows = 30
	terminalCols = 200
)

// terminal is the far end of a pseudo-terminal: it obeys the control sequences that a view writes, and keeps the picture.
type terminal struct {
	master *os.File

	mu      sync.Mutex
	cells   [terminalRows][terminalCols]rune
	x, y    int
	unknown []string // sequences that it does not know
}

// startInTerminal starts a command whose standard streams are a pseudo-terminal.
func startInTerminal(t *testing.T, cmd *exec.Cmd) *terminal {
	t.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skip("SKIPPED: no pseudo-terminal here:", err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	for _, e := range []error{err, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0),
		unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: terminalRows, Col: terminalCols})} {
		if e != nil {
			t.Fatal(e)
		}
	}
	near, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = near, near, near
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = near.Close()
	s := &terminal{master: os.NewFile(uintptr(fd), "terminal")}
	var reading sync.WaitGroup
	reading.Go(s.read)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(strings.Join(s.rows(), "\n"))
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		reading.Wait() // until no process has the terminal
		_ = s.master.Close()
		if len(s.unknown) > 0 {
			t.Errorf("the view writes sequences that the test's terminal does not know: %q", s.unknown)
		}
	})
	return s
}

// rows returns the lines of the picture without blanks at their ends.
func (s *terminal) rows() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := make([]string, terminalRows)
	for y := range s.cells {
		rows[y] = strings.TrimRight(strings.ReplaceAll(string(s.cells[y][:]), "\x00", " "), " ")
	}
	return rows
}

// find returns what a pattern's first group matches in the only row that it matches; "" for no such row, or several.
func (s *terminal) find(pattern string) (found string) {
	rows := 0
	for _, row := range s.rows() {
		if m := regexp.MustCompile(pattern).FindStringSubmatch(row); m != nil {
			found = m[len(m)-1]
			rows++
		}
	}
	if rows != 1 {
		return ""
	}
	return found
}

// press sends keys.
func (s *terminal) press(keys string) { _, _ = s.master.WriteString(keys) }

// sequence is one escape sequence: a CSI, an OSC or another string, or one of two characters.
var sequence = regexp.MustCompile(`^\x1b(?:\[([<-?]?)([0-9;:]*)([ -/]*)([@-~])|[\]P^_][^\x07\x1b]*(?:\x07|\x1b\\)|([ -/]?[0-OQ-Z\\` + "`" + `-~]))`)

// read obeys what is written until no process has the terminal.
func (s *terminal) read() {
	buffer := make([]byte, 1<<16)
	var rest []byte
	for {
		n, err := s.master.Read(buffer)
		if err != nil {
			return
		}
		s.mu.Lock()
		rest = s.obey(append(rest, buffer[:n]...))
		s.mu.Unlock()
	}
}

// obey draws, and returns the beginning of what is not complete yet.
func (s *terminal) obey(text []byte) []byte {
	for len(text) > 0 {
		if text[0] == 0x1b {
			m := sequence.FindSubmatchIndex(text)
			if m == nil {
				return text
			}
			s.escape(sequence.FindStringSubmatch(string(text[:m[1]])))
			text = text[m[1]:]
			continue
		}
		if !utf8.FullRune(text) {
			return text
		}
		c, size := utf8.DecodeRune(text)
		text = text[size:]
		s.put(c)
	}
	return nil
}

func (s *terminal) put(c rune) {
	switch c {
	case '\r':
		s.x = 0
	case '\n':
		s.down()
	case '\b':
		s.x = max(s.x-1, 0)
	case '\t':
		s.x = min((s.x/8+1)*8, terminalCols-1)
	case '\a':
	default:
		if s.x == terminalCols {
			s.x = 0
			s.down()
		}
		s.cells[s.y][s.x] = c
		s.x++
	}
}

func (s *terminal) down() {
	if s.y == terminalRows-1 {
		copy(s.cells[:], s.cells[1:])
		clear(s.cells[s.y][:])
		return
	}
	s.y++
}

func (s *terminal) escape(m []string) {
	private, final := m[1]+m[3], m[4]
	var args []int
	for word := range strings.SplitSeq(m[2], ";") {
		n, _ := strconv.Atoi(word)
		args = append(args, n)
	}
	n, last := max(args[0], 1), args[len(args)-1]
	switch {
	case final == "" || private != "" || strings.Contains("mnchtulq", final): // modes, colours, questions, strings
		if m[5] == "M" {
			s.unknown = append(s.unknown, m[0])
		}
	case final == "A":
		s.y = max(s.y-n, 0)
	case final == "B":
		s.y = min(s.y+n, terminalRows-1)
	case final == "C":
		s.x = min(s.x+n, terminalCols-1)
	case final == "D":
		s.x = max(min(s.x, terminalCols-1)-n, 0)
	case final == "G":
		s.x = min(n, terminalCols) - 1
	case final == "d":
		s.y = min(n, terminalRows) - 1
	case final == "H":
		s.y, s.x = min(n, terminalRows)-1, 0
		if len(args) > 1 {
			s.x = min(max(last, 1), terminalCols) - 1
		}
	case final == "X":
		clear(s.cells[s.y][min(s.x, terminalCols-1):min(s.x+n, terminalCols)])
	case final == "K":
		s.eraseLine(args[0])
	case final == "J":
		s.eraseScreen(args[0])
	case final == "L":
		for range min(n, terminalRows-s.y) {
			copy(s.cells[s.y+1:], s.cells[s.y:terminalRows-1])
			clear(s.cells[s.y][:])
		}
	case final == "M":
		for range min(n, terminalRows-s.y) {
			copy(s.cells[s.y:], s.cells[s.y+1:])
			clear(s.cells[terminalRows-1][:])
		}
	case final == "b" && s.x > 0:
		for range n {
			s.put(s.cells[s.y][s.x-1])
		}
	default:
		s.unknown = append(s.unknown, fmt.Sprintf("%q", m[0]))
	}
}

func (s *terminal) eraseLine(which int) {
	row, at := s.cells[s.y][:], min(s.x, terminalCols-1)
	switch which {
	case 0:
		clear(row[at:])
	case 1:
		clear(row[:at+1])
	default:
		clear(row)
	}
}

func (s *terminal) eraseScreen(which int) {
	s.eraseLine(which)
	switch which {
	case 0:
		clear(s.cells[s.y+1:])
	case 1:
		clear(s.cells[:s.y])
	default:
		clear(s.cells[:])
	}
}
