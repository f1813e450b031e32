package sockets

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"iter"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// The columns of a table that are used, and their number.
const (
	columnLocal  = 1
	columnRemote = 2
	columnState  = 3
	columnUser   = 7
	columnNumber = 9
	minColumns   = 10
)

// listening is the state of a TCP socket that listens.
const listening = "0A"

// entry is a line of a table.
type entry struct {
	local, remote netip.AddrPort
	state         string
	user          int
	number        string // of the socket's file; "0": no process has it open
}

var errEntry = errors.New("not a line of a table of sockets")

// parse reads a line of a table.
func parse(line string) (entry, error) {
	f := strings.Fields(line)
	if len(f) < minColumns {
		return entry{}, errEntry
	}
	local, localErr := parseAddress(f[columnLocal])
	remote, remoteErr := parseAddress(f[columnRemote])
	user, userErr := strconv.ParseUint(f[columnUser], 10, 32)
	return entry{local, remote, f[columnState], int(user), f[columnNumber]}, errors.Join(localErr, remoteErr, userErr)
}

// parseAddress reads an address as 0100007F:1F90: words of 32 bits in the processor's order, then the port.
func parseAddress(text string) (netip.AddrPort, error) {
	host, port, _ := strings.Cut(text, ":")
	words, err := hex.DecodeString(host)
	n, portErr := strconv.ParseUint(port, 16, 16)
	if err != nil || portErr != nil || len(words)%4 != 0 {
		return netip.AddrPort{}, errEntry
	}
	for i := 0; i < len(words); i += 4 {
		binary.BigEndian.PutUint32(words[i:], binary.NativeEndian.Uint32(words[i:]))
	}
	ip, ok := netip.AddrFromSlice(words)
	if !ok {
		return netip.AddrPort{}, errEntry
	}
	return netip.AddrPortFrom(ip.Unmap(), uint16(n)), nil
}

// entries returns the sockets of a network (tcp or udp) over IPv4 and IPv6, none where the system has no tables.
func entries(network string) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		for _, table := range []string{network, network + "6"} {
			file, err := os.Open("/proc/net/" + table)
			if err != nil {
				continue
			}
			next := readEntries(file, yield)
			_ = file.Close()
			if !next {
				return
			}
		}
	}
}

// readEntries yields the entries of a table and reports whether more are wanted.
func readEntries(table io.Reader, yield func(entry) bool) bool {
	for lines := bufio.NewScanner(table); lines.Scan(); {
		if e, err := parse(lines.Text()); err == nil && !yield(e) { // the first line is a heading
			return false
		}
	}
	return true
}
