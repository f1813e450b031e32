package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// peer is a foreign program in bench/peers that times algorithms and prints a line "name ns" for each.
type peer struct {
	name   string
	source string   // in bench/peers
	flags  []string // of the compiler
	binary string   // once it is built
}

// errNoPeer means that a peer cannot be built here; its column stays empty.
var errNoPeer = errors.New("not on this machine")

// build compiles the peer into dir.
func (p *peer) build(dir string) error {
	binary := filepath.Join(dir, p.name)
	arguments := append([]string{"-O3", "-DNDEBUG", "-o", binary, filepath.Join("bench/peers", p.source)}, p.flags...)
	if out, err := exec.Command("c++", arguments...).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n%s\n", p.name, errNoPeer, firstLine(out))
		return errNoPeer
	}
	p.binary = binary
	return nil
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

// times are nanoseconds by the name of what was measured.
type times map[string]float64

// keep keeps the lesser of old and new values.
func (t times) keep(other times) {
	for name, ns := range other {
		if old, ok := t[name]; !ok || ns < old {
			t[name] = ns
		}
	}
}

// ratio returns a/b as text, or "" if one of them is missing.
func ratio(a, b float64) string {
	if a == 0 || b == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", a/b)
}

// run runs the peer and returns its times: none if it was not built.
func (p *peer) run(arguments ...string) (times, error) {
	if p.binary == "" {
		return nil, nil
	}
	return runTimes(exec.Command(p.binary, arguments...))
}

// runTimes runs a command that prints lines "name ns".
func runTimes(command *exec.Cmd) (times, error) {
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("run %s: %w\n%s", command, err, stderr.Bytes())
	}
	t := times{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		ns, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, fmt.Errorf("%s printed %q: wants a name and a number", command, lines.Text())
		}
		t[name] = ns
	}
	return t, nil
}
