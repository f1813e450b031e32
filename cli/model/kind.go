package model

import (
	"bytes"
	"io"
	"os"
	"regexp"
)

// kindBytes is how much of a file [Kind] reads.
const kindBytes = 4096

var (
	systemKeys  = regexp.MustCompile(`(?m)^(system|base|threads|blocks|links):`)
	programKeys = regexp.MustCompile(`(?m)^(program|moves):`)
)

// Kind returns which file of sinew stands where another was wanted, with the verb that takes it, as "a system file: sinew check x.yaml
// describes it"; "" for other files, and those that cannot be read.
func Kind(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, kindBytes))
	switch {
	case bytes.HasPrefix(text, []byte("\x89MCAP0")):
		return "a log: sinew plot " + file + " draws it"
	case bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) && bytes.Contains(text, []byte("<robot")):
		return "a robot: sinew model show " + file + " describes it"
	case systemKeys.Match(text):
		return "a system file: sinew check " + file + " describes it"
	case programKeys.Match(text):
		return "a program of moves: sinew program check " + file + " describes it"
	}
	return ""
}

// Mistaken returns [Kind] as the end of a message.
func Mistaken(file string) string {
	if kind := Kind(file); kind != "" {
		return "; it is " + kind
	}
	return ""
}
