package nats

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/net/admin"
)

// Server is a process on the control plane, with the hub if it has started one.
type Server struct {
	*Service
	hub *Hub
}

// Listen offers a process on the control plane: at the site's server where an address is given, else at the hub of its
// system on this host, which it starts if there is none. If the process runs already, the error names its host.
func Listen(id Identity, process admin.Running, site Address) (*Server, error) {
	id, err := id.complete()
	if err != nil {
		return nil, err
	}
	s := &Server{}
	address := site
	if site.URL == "" && site.Dial == nil {
		address = OnHost(id.System)
		hub, err := OpenHub(id.System)
		switch {
		case err == nil:
			s.hub, address = hub, hub.Address()
		case !errors.Is(err, ErrRuns):
			return nil, err
		}
	}
	if s.Service, err = Serve(address, id, process); err != nil {
		return nil, errors.Join(err, s.closeHub())
	}
	return s, nil
}

// Close ends the service, and the hub that was started for it.
func (s *Server) Close() error { return errors.Join(s.Service.Close(), s.closeHub()) }

func (s *Server) closeHub() error {
	if s.hub == nil {
		return nil
	}
	return s.hub.Close()
}

// Serve offers a process at a server. It fails if a system of that name runs already, and names its process and host.
func Serve(address Address, id Identity, process admin.Running) (*Service, error) {
	id, err := id.complete()
	if err != nil {
		return nil, err
	}
	conn, err := connect(address, "sinew "+id.System+"."+id.Process, nil)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
	defer cancel()
	var other *found
	err = ping(ctx, conn, func(f found) (some, all bool) {
		if id.excludes(f) {
			other = &f
		}
		return true, other != nil
	})
	if err == nil && other != nil {
		err = fmt.Errorf("a system %q runs already, in process %d on %s: stop it, or run this one with --name", id.System, other.PID, other.Host)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	s, err := serve(conn, id, process)
	if err != nil {
		conn.Close()
	}
	return s, err
}

// excludes reports whether this process cannot be served beside another.
func (id Identity) excludes(other found) bool {
	return other.System == id.System && (other.Process == id.Process || !slices.Contains(other.Processes, id.Process))
}
