package modbus

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

const python = "/usr/bin/python3"

// needPymodbus skips a test without pymodbus.
func needPymodbus(t *testing.T) {
	t.Helper()
	if err := exec.Command(python, "-c", "import pymodbus.client, serial").Run(); err != nil {
		t.Skip("SKIPPED: pymodbus is missing (Debian: python3-pymodbus, python3-serial, python3-serial-asyncio)")
	}
}

// opened returns an open channel.
func opened(t *testing.T, address string) wire.Wire {
	t.Helper()
	w, err := wire.New(address, wire.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// TestPymodbusReadsTheServer lets pymodbus ask our server.
func TestPymodbusReadsTheServer(t *testing.T) {
	needPymodbus(t)
	path, port := filepath.Join(t.TempDir(), "line"), testkit.FreePort(t, 1)
	for _, c := range []struct {
		framing       Framing
		own, kind, at string
	}{
		{RTU, "pty://" + path, "serial", path},
		{TCP, fmt.Sprintf("tcp+listen://127.0.0.1:%d", port), "tcp", fmt.Sprint(port)},
	} {
		t.Run(c.kind, func(t *testing.T) {
			s := NewServer(opened(t, c.own), c.framing, 9, newTable())
			var out, problems bytes.Buffer
			peer := exec.Command(python, "testdata/peer.py", "client", c.kind, c.at)
			peer.Stdout, peer.Stderr = &out, &problems
			if err := peer.Start(); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- peer.Wait() }()
			for {
				select {
				case err := <-done:
					const want = "[300, 303, 306]\n675\n3\n4711\n[7, 65535, 4711, 1]\n2\n1\n"
					if err != nil || out.String() != want {
						t.Errorf("%v: pymodbus reads\n%sexpected\n%s%s", err, &out, want, &problems)
					}
					return
				default:
				}
				if err := s.Step(time.Millisecond); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
}

// TestClientReadsPymodbus asks a server of pymodbus.
func TestClientReadsPymodbus(t *testing.T) {
	needPymodbus(t)
	dir, port := t.TempDir(), testkit.FreePort(t, 1)
	for _, c := range []struct {
		framing       Framing
		own, kind, at string
	}{
		{RTU, "pty://" + filepath.Join(dir, "line"), "serial", filepath.Join(dir, "line")},
		{TCP, fmt.Sprintf("tcp://127.0.0.1:%d", port), "tcp", fmt.Sprint(port)},
	} {
		t.Run(c.kind, func(t *testing.T) {
			w := opened(t, c.own)
			var problems bytes.Buffer
			peer := exec.Command(python, "testdata/peer.py", "server", c.kind, c.at)
			peer.Stderr = &problems
			if err := peer.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { _, _ = peer.Process.Kill(), peer.Wait() }()
			client := NewClient(w, c.framing)
			answer := func(ask func()) (registers []uint16, err error) {
				t.Helper()
				ask()
				answered := false
				defer func() {
					if !answered {
						t.Logf("no answer: %s", &problems)
					}
				}()
				testkit.AwaitEvery(t, time.Millisecond, "an answer", func() bool {
					p, fails := client.Step(time.Millisecond)
					var fault *wire.Fault
					switch {
					case p == driver.Complete:
						registers, answered = slices.Clone(client.Registers()), true
					case errors.As(fails, &fault) && errors.Is(fails, wire.ErrLost): // the server is not there yet
						_ = w.Open()
						ask()
					case fails != nil && p != driver.Damaged && fault == nil:
						err, answered = fails, true
					}
					return answered
				})
				return registers, err
			}
			for _, q := range []struct {
				ask  func()
				want []uint16
			}{
				{func() { client.Read(9, ReadHolding, 100, 3) }, []uint16{300, 303, 306}},
				{func() { client.Read(9, ReadInput, 999, 1) }, []uint16{2997}},
				{func() { client.Write(9, 200, []uint16{7, 65535}) }, []uint16{}},
				{func() { client.WriteRead(9, 202, []uint16{4711}, 199, 5) }, []uint16{597, 7, 65535, 4711, 609}},
			} {
				if got, err := answer(q.ask); err != nil || !slices.Equal(got, q.want) {
					t.Errorf("%v, %v, expected %v", got, err, q.want)
				}
			}
			var exception *ExceptionError
			if _, err := answer(func() { client.Read(9, ReadHolding, 5000, 1) }); !errors.As(err, &exception) || exception.Code != 2 {
				t.Errorf("a register that is not there: %v", err)
			}
		})
	}
}
