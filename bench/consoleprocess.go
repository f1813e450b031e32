package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// consoleProcess is a sinew process that serves a console.
type consoleProcess struct {
	command *exec.Cmd
	page    *page
}

// startConsole starts one and opens its page.
func startConsole(sinew string, arguments ...string) (*consoleProcess, error) {
	p := &consoleProcess{command: exec.Command(sinew, arguments...)}
	p.command.Stderr = os.Stderr
	out, err := p.command.StdoutPipe()
	if err == nil {
		err = p.command.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", p.command, err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), "console: "); ok {
			go func() {
				for lines.Scan() {
				}
			}()
			if p.page, err = openPage(address); err != nil {
				p.end()
			}
			return p, err
		}
	}
	p.end()
	return nil, fmt.Errorf("%s printed no address", p.command)
}

func (p *consoleProcess) end() {
	_ = p.command.Process.Signal(os.Interrupt)
	_ = p.command.Wait()
}

// ticks is the unit of the kernel's processor times, per second.
const ticks = 100

// used returns the processor time of the process; 0 if it is not available.
func (p *consoleProcess) used() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name may have spaces
	words := strings.Fields(rest)
	if len(words) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(words[11])
	kernel, _ := strconv.Atoi(words[12])
	return time.Duration(user+kernel) * time.Second / ticks
}
