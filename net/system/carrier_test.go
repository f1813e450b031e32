package system_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/system"
)

// carriers has a carrier with addresses of its own form beside one of the Internet protocol.
func carriers() *block.Registry {
	open := func(string) (link.Datagrams, error) { return nil, errors.ErrUnsupported }
	check := func(address string) error {
		if !strings.HasPrefix(address, "loft-") {
			return errors.New("wants the name of a loft, as loft-7")
		}
		return nil
	}
	return block.NewRegistry([]block.Entry{
		block.Carrier(link.Carrier{Name: "pigeon", MaxDatagram: 256, Open: open, Check: check}),
		block.Carrier(link.Carrier{Name: "udp", MaxDatagram: 1400, Open: open}),
	})
}

func TestNetworkNamesARegisteredCarrier(t *testing.T) {
	for deploy, want := range map[string]string{
		"network: udp":    "",
		"network: pigeon": "",
		"network: pigoen": `x.yaml:2:19: network: no carrier "pigoen"; did you mean "pigeon"?`,
		"network: tcp":    `x.yaml:2:19: network: no carrier "tcp"; there is pigeon, udp`,
		"network: udp, hosts: {a: {ssh: u@a, address: 10.0.0.2, port: 7400}}":  "",
		"network: pigeon, hosts: {a: {ssh: u@a, address: loft-1}}":             "",
		"hosts: {a: {ssh: u@a, address: 10.0.0.2}}, network: pigeon":           `x.yaml:2:18: host "a": address "10.0.0.2" for the carrier pigeon: wants the name of a loft, as loft-7`,
		"network: pigeon, hosts: {a: {ssh: u@a, address: loft-1, port: 7400}}": `x.yaml:2:35: host "a": addresses of the carrier pigeon have no port: leave port out`,
	} {
		dir := write(t, "x.yaml", "system: x\ndeploy: {"+deploy+"}\n")
		s, err := system.Load(filepath.Join(dir, "x.yaml"), system.Options{Registry: carriers()})
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", deploy, err)
		case want == "" && !strings.Contains(deploy, "network: "+s.Deploy.Carrier.Name):
			t.Errorf("%s: the carrier is %q", deploy, s.Deploy.Carrier.Name)
		case want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)):
			t.Errorf("%s: got %v, want %s", deploy, err, want)
		}
	}
}
