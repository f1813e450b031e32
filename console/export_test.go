package console

import (
	"context"
	"time"

	"github.com/sinew-robotics/sinew/console/turns"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/request"
)

// MethodRoles returns the role that each method of the protocol needs.
func MethodRoles(s *Server) map[string]request.Role { return s.requests.Roles() }

// Follows reports whether the server has opened a running system.
func Follows(s *Server, name string) bool { _, ok := s.opened.Load(name); return ok }

// SetBodyPatience sets the time for a whole request.
func SetBodyPatience(o *Options, d time.Duration) { o.bodyPatience = d }

// SetNow sets the clock of sign-ins.
func SetNow(o *Options, now func() time.Time) { o.now = now }

// HoldShares takes the turns of a user for pages that are shared, and HoldReads those for curves, until done is called.
func HoldShares(s *Server, user string) (done func()) { return hold(s.shares, user, sharesOfUser) }

// HoldReads is described with HoldShares.
func HoldReads(s *Server, user string) (done func()) { return hold(s.reads, user, readsOfUser) }

func hold(of *turns.Turns, user string, n int) (done func()) {
	var all []func()
	for range n {
		one, _ := of.Take(admin.WithActor(context.Background(), admin.Actor{User: user}))
		all = append(all, one)
	}
	return func() {
		for _, one := range all {
			one()
		}
	}
}

// ReadsWait reports whether requests for curves wait for a turn.
func ReadsWait(s *Server) bool { return s.reads.Contested() }

// SharesWait reports whether requests for pages to share wait for a turn.
func SharesWait(s *Server) bool { return s.shares.Contested() }
