package testkit

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// Ports that [FreePort] chooses from: below those that Linux gives to outgoing connections (from 32768), since one of another program could take it at any time.
const firstPort, endOfPorts = 10_000, 32_000

// FreePort returns the first of n successive ports that no program uses on this machine, neither with TCP nor with UDP. Only a test that gives the
// address to another program before anything listens there needs it: others listen at port 0.
func FreePort(t testing.TB, n int) int {
	t.Helper()
	var last error
	for range 100 {
		port := firstPort + rand.IntN(endOfPorts-firstPort-n)
		if last = unused(port, n); last == nil {
			return port
		}
	}
	t.Fatalf("find %d free ports from %d to %d: %v", n, firstPort, endOfPorts, last)
	return 0
}

// unused returns an error if one of n successive ports is in use.
func unused(port, n int) error {
	for i := range n {
		at := fmt.Sprintf(":%d", port+i)
		stream, err := net.Listen("tcp", at)
		if err != nil {
			return err
		}
		_ = stream.Close()
		packets, err := net.ListenPacket("udp", at)
		if err != nil {
			return err
		}
		_ = packets.Close()
	}
	return nil
}
