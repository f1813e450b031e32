package hosts

import (
	"strings"
	"testing"
)

// TestHostsCanBeLostAndRestarted starts two hosts, halts one and boots it again.
func TestHostsCanBeLostAndRestarted(t *testing.T) {
	n := Start(t, "left", "right")
	for _, h := range n.Hosts {
		out, err := h.Run("hostname -I; echo $SSH_CONNECTION; touch /tmp/x /root/y; ls /tmp; ps ax | grep -c .")
		if err != nil || !strings.Contains(out, h.Address) {
			t.Errorf("%s: %v: %s", h.Name, err, out)
		}
	}
	left := n.Hosts[0]
	left.Halt()
	if out, err := left.Run("true"); err == nil {
		t.Errorf("a host without power answers: %s", out)
	}
	left.Boot()
	if out, err := left.Run("ls /tmp /root"); err != nil || strings.Contains(out, "x") || !strings.Contains(out, "y") {
		t.Errorf("a restarted host has other files: %v: %s", err, out)
	}
	left.Unplug()
	left.Plug()
	n.Distrust()
	if out, err := left.Run("true"); err == nil || !strings.Contains(out, "Host key verification failed") {
		t.Errorf("an unknown host was trusted: %s", out)
	}
}
