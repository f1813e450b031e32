package nats

import (
	"fmt"
	"strings"
)

// The names of the control plane on NATS; docs/reference/control-plane.md describes them.
const (
	ServiceName = "sinew" // of the micro service that each process is
	Protocol    = "1"     // version of requests, answers and telemetry
)

// subject returns the subject of a method of a process.
func subject(system, process, method string) string {
	return ServiceName + "." + system + "." + process + "." + method
}

// tapSubject returns where the samples of all taps of a client are published.
func tapSubject(system, process, client string) string {
	return subject(system, process, "tap."+client)
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// checkName refuses what cannot be a token of a subject and a file's name.
func checkName(what, name string) error {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r > 127 || !isNameByte(byte(r)) }) {
		return fmt.Errorf("%s name %q: wants letters, digits, _ and -", what, name)
	}
	return nil
}

// splitName parts "system" or "system.process".
func splitName(name string) (system, process string, err error) {
	system, process, found := strings.Cut(name, ".")
	if err := checkName("system", system); err != nil {
		return "", "", err
	}
	if found {
		err = checkName("process", process)
	}
	return system, process, err
}
