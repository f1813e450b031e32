package system

import (
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Nats is the site's own cluster of NATS servers, which then carries the control plane of the system.
type Nats struct {
	URL         string // of one server, or of several with commas between them: nats://, tls://, ws:// or wss://
	Credentials string // file of credentials, .creds; "" where the servers want none
	CA          string // file of the certificates that the servers' are signed by, PEM; "": those of the machine
}

var natsSchemes = []string{"nats", "tls", "ws", "wss"}

// readNats reads the section nats.
func (l *loader) readNats(n *yaml.Node) {
	nats := &Nats{}
	l.fields(n, "nats", map[string]func(*yaml.Node){
		"url": func(v *yaml.Node) {
			nats.URL = l.text(v, "url")
			for one := range strings.SplitSeq(nats.URL, ",") {
				if u, err := url.Parse(strings.TrimSpace(one)); err != nil || !slices.Contains(natsSchemes, u.Scheme) || u.Hostname() == "" {
					l.fail(v, "url %q: wants that of a NATS server, as tls://nats.example.org:4222", one)
				}
			}
		},
		"credentials": func(v *yaml.Node) { nats.Credentials = l.named(v, l.sys.Dir, l.text(v, "credentials")) },
		"ca":          func(v *yaml.Node) { nats.CA = l.named(v, l.sys.Dir, l.text(v, "ca")) },
	})
	if nats.URL == "" {
		l.fail(n, "nats wants the url of a server, as {url: \"tls://nats.example.org:4222\"}")
	}
	l.sys.Nats = nats
}

// readMetrics reads where the metrics of the system can be fetched.
func (l *loader) readMetrics(n *yaml.Node) {
	_, port, err := net.SplitHostPort(n.Value)
	if number, bad := strconv.Atoi(port); err != nil || bad != nil || number < 0 || number > 65535 {
		l.fail(n, "metrics wants an address and a port, as \"127.0.0.1:9100\", got %q", n.Value)
	}
	l.sys.Metrics = n.Value
}
