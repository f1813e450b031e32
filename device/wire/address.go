package wire

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// scheme is a way to open channels: what stands before the colon of an address.
type scheme struct {
	name    string
	kind    Kind
	example string
	options []string
	open    func(a *address) (Wire, error)
}

func schemes() []scheme {
	return []scheme{
		{"serial", Bytes, "serial:///dev/ttyUSB0?baud=115200", []string{"baud", "parity", "stop"}, newSerial},
		{"pty", Bytes, "pty:///tmp/laser", nil, newPTY},
		{"tcp", Bytes, "tcp://192.168.0.10:10940", nil, newTCP},
		{"tcp+listen", Bytes, "tcp+listen://:10940", nil, newTCPListener},
		{"udp", Datagrams, "udp://192.168.0.12:49152", nil, newUDP},
		{"udp+listen", Datagrams, "udp+listen://:49152", nil, newUDPListener},
		{"can", Frames, "can://can0", nil, newCAN},
		{"slcan", Frames, "slcan:///dev/ttyACM0?bitrate=500000", []string{"baud", "bitrate"}, newSlcan},
		{"can+udp", Frames, "can+udp://239.74.163.2:43113", []string{"interface"}, newMulticastCAN},
	}
}

// address is an address taken apart.
type address struct {
	text    string
	host    string // with its port
	path    string
	options url.Values
}

// New returns the channel with an address, which is to carry what the driver needs. Open opens it. Names of hosts are resolved here.
// It fails for an address of no known form, and for a channel that carries something else.
func New(text string, carries Kind) (Wire, error) {
	parsed, err := url.Parse(text)
	if err != nil {
		var fault *url.Error
		if errors.As(err, &fault) {
			err = fault.Err
		}
		return nil, fmt.Errorf("address %q: %w", text, err)
	}
	var examples []string
	for _, s := range schemes() {
		switch {
		case s.kind != carries:
		case s.name != parsed.Scheme:
			examples = append(examples, s.example)
		default:
			w, err := s.make(text, parsed)
			if err != nil {
				return nil, fmt.Errorf("address %q: %w", text, err)
			}
			return w, nil
		}
	}
	return nil, fmt.Errorf("address %q: expected one of %s, which carry %s", text, strings.Join(examples, ", "), carries)
}

func (s *scheme) make(text string, parsed *url.URL) (Wire, error) {
	a := &address{text: text, host: parsed.Host, path: parsed.Path}
	var err error
	if a.options, err = url.ParseQuery(parsed.RawQuery); err != nil {
		return nil, err
	}
	onPath := strings.Contains(s.example, ":///")
	if parsed.Opaque != "" || parsed.User != nil || parsed.Fragment != "" || onPath && (a.host != "" || a.path == "") || !onPath && (a.host == "" || a.path != "") {
		return nil, fmt.Errorf("expected the form %s", s.example)
	}
	for name, values := range a.options {
		if !slices.Contains(s.options, name) || len(values) != 1 {
			return nil, fmt.Errorf("option %q: expected %s, each once", name, orNone(s.options))
		}
	}
	return s.open(a)
}

func orNone(options []string) string {
	if len(options) == 0 {
		return "no option"
	}
	return strings.Join(options, ", ")
}

// number returns a whole number among the options, or the given one where it is not there.
func (a *address) number(name string, otherwise, least, greatest int) (int, error) {
	text := a.options.Get(name)
	if !a.options.Has(name) {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > greatest {
		return 0, fmt.Errorf("%s=%s: expected a number from %d to %d", name, text, least, greatest)
	}
	return n, nil
}
