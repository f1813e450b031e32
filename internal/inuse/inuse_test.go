package inuse

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

func TestExplainNamesTheProcessAndTheRemedy(t *testing.T) {
	first, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	address := first.Addr().String()
	_, err = net.Listen("tcp", address)
	got := Explain(err, "tcp", address, "choose another port with --listen")
	want := fmt.Sprintf("listen on %s: address in use by process %d (", address, os.Getpid())
	if runtime.GOOS != "linux" {
		want = fmt.Sprintf("listen on %s: address in use by another process", address)
	}
	if !strings.HasPrefix(got.Error(), want) || !strings.HasSuffix(got.Error(), "; choose another port with --listen") {
		t.Errorf("got %q, want %q and the remedy", got, want)
	}
	if runtime.GOOS == "linux" && !errors.Is(got, syscall.EADDRINUSE) {
		t.Errorf("%v has lost its cause", got)
	}
}

func TestExplainLeavesOtherErrorsAlone(t *testing.T) {
	other := errors.New("no such host")
	if got := Explain(other, "tcp", "nowhere:80", "x"); got != other {
		t.Errorf("got %v", got)
	}
}
