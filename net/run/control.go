package run

import (
	"errors"
	"io"
	"path/filepath"

	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/metrics"
	"github.com/sinew-robotics/sinew/net/system"
)

// control is a process on the control plane, and where its metrics are fetched. The zero value is in neither place.
type control struct {
	server  *nats.Server
	metrics *metrics.Server
}

// open offers the process to tools, except in virtual time. Of a process of several the metrics are those of the whole: the hub
// offers them.
func (c *control) open(r *Running) (err error) {
	if r.options.Virtual {
		return nil
	}
	if c.server, err = nats.Listen(r.identity(), r.Local, Site(r.sys.Nats)); err != nil {
		return err
	}
	address := r.options.Metrics
	if address == "" && r.process() == "" {
		address = r.sys.Metrics
	}
	if address != "" {
		if c.metrics, err = metrics.Serve(address, r.Local.Statistics); err != nil {
			return errors.Join(err, c.server.Close())
		}
	}
	return nil
}

// process returns which process of the system this is; "": the whole.
func (r *Running) process() string { return r.sys.Options().Process }

// identity returns what the control plane calls this process.
func (r *Running) identity() nats.Identity {
	id := r.options.Identity
	id.System, id.Process = r.system, r.process()
	if r.sys.Path != "" {
		id.File, _ = filepath.Abs(r.sys.Path)
	}
	for _, p := range r.sys.Deploy.Processes {
		if p.Name == id.Process {
			id.Host = p.Host
		}
	}
	return id
}

// Site returns the address of the site's NATS servers; its URL is empty if n is nil.
func Site(n *system.Nats) nats.Address {
	if n == nil {
		return nats.Address{}
	}
	return nats.Address{URL: n.URL, Credentials: n.Credentials, Authority: n.CA}
}

// log returns where lines go that tools may follow.
func (c *control) log() io.Writer {
	if c.server == nil {
		return io.Discard
	}
	return c.server.Log()
}

func (c *control) close() {
	if c.metrics != nil {
		_ = c.metrics.Close()
	}
	if c.server != nil {
		_ = c.server.Close() // the run has ended without it
	}
}
