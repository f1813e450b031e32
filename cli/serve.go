package cli

import (
	"errors"
	"io"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/system"
)

// served is a run as tools see it: on the control plane, and where its metrics are fetched. In virtual time nobody sees
// it, and the zero value does nothing.
type served struct {
	server  *admin.Server
	metrics *metricsServer
}

// serve offers a run to the tools. Of a process of several the metrics are those of the whole: the hub offers them.
func (r *running) serve(local *admin.Local) (s served, err error) {
	if r.flags.fast {
		return s, nil
	}
	if s.server, err = admin.Listen(r.identity(), local, site(r.sys.Nats)); err != nil {
		return s, err
	}
	address := r.flags.metrics
	if address == "" && r.flags.process == "" {
		address = r.sys.Metrics
	}
	if address != "" {
		if s.metrics, err = serveMetrics(address, local.Statistics); err != nil {
			return served{}, errors.Join(err, s.server.Close())
		}
	}
	deploy.TellReady()
	return s, nil
}

// site returns the address of the site's NATS servers; its URL is empty where there are none.
func site(n *system.Nats) admin.Address {
	if n == nil {
		return admin.Address{}
	}
	return admin.Address{URL: n.URL, Credentials: n.Credentials, Authority: n.CA}
}

// log returns where lines go that tools may follow.
func (s *served) log() io.Writer {
	if s.server == nil {
		return io.Discard
	}
	return s.server.Log()
}

func (s *served) close() {
	if s.metrics != nil {
		_ = s.metrics.close()
	}
	if s.server != nil {
		_ = s.server.Close() // the run has ended: nobody waits for it
	}
}
