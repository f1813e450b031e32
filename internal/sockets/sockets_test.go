package sockets

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// connect returns both ends of a connection to a port that listens at an address.
func connect(t *testing.T, address string) (server, client net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Skipf("SKIPPED: this machine has no address %s: %v", address, err)
	}
	defer l.Close()
	if client, err = net.Dial("tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if server, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close(); server.Close() })
	return server, client
}

func TestPeerIsTheUserOfTheOtherEnd(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0", "[::ffff:127.0.0.1]:0"} {
		t.Run(address, func(t *testing.T) {
			server, _ := connect(t, address)
			uid, known, err := Peer(server)
			if known != (runtime.GOOS == "linux") || known && uid != os.Getuid() || err != nil {
				t.Errorf("user %d, known %v, %v; expected user %d", uid, known, err, os.Getuid())
			}
		})
	}
}

// TestClosedPeerIsNotTakenForRoot closes the other end first: the kernel then shows it as one of user 0.
func TestClosedPeerIsNotTakenForRoot(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: tables of sockets are read on Linux")
	}
	server, client := connect(t, "127.0.0.1:0")
	client.Close()
	testkit.Await(t, "the end is closed", func() bool {
		_, _, err := Peer(server)
		return errors.Is(err, ErrGone)
	})
}

func TestListenersAreThoseOfThePortAlone(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: tables of sockets are read on Linux")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if n := Listeners("tcp", port); len(n) != 1 {
		t.Errorf("sockets %v, expected one", n)
	}
	l.Close()
	if n := Listeners("tcp", port); len(n) != 0 {
		t.Errorf("sockets %v after it was closed", n)
	}
}

func TestAddressesAreReadInTheOrderOfTheProcessor(t *testing.T) {
	for _, want := range []string{"127.0.0.1:8080", "[2001:db8::1:2]:1", "0.0.0.0:0", "[::1]:65535"} {
		at := netip.MustParseAddrPort(want)
		if got, err := parseAddress(format(at)); err != nil || got != at {
			t.Errorf("%s becomes %v, %v, expected %v", format(at), got, err, at)
		}
	}
}

// format writes an address as the kernel does on a little-endian processor.
func format(at netip.AddrPort) string {
	var b strings.Builder
	ip := at.Addr().AsSlice()
	for i := 0; i < len(ip); i += 4 {
		fmt.Fprintf(&b, "%02X%02X%02X%02X", ip[i+3], ip[i+2], ip[i+1], ip[i])
	}
	return fmt.Sprintf("%s:%04X", &b, at.Port())
}

// FuzzParse checks that no line panics, and that one that is read has an address.
func FuzzParse(f *testing.F) {
	for _, line := range []string{
		"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
		"   3: 0100007F:A185 0100007F:8130 01 000008A0:00000000 01:00000014 00000000  1000        0 279674 3 00000000dd6ba167 20 4 8 17 -1",
		"   0: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A 0:0 0:0 0 0 0 1",
		"0: 01:1 :: 0 0 0 0 -1 0 0", "0: : : 0 0 0 0 0 0 0",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if e, err := parse(line); err == nil && (!e.local.IsValid() || !e.remote.IsValid() || e.user < 0) {
			t.Fatalf("%q became %+v", line, e)
		}
	})
}
