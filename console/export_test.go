package console

import (
	"time"

	"github.com/sinew-robotics/sinew/net/admin/request"
)

// MethodRoles returns the role that each method of the protocol needs.
func MethodRoles(s *Server) map[string]request.Role { return s.requests.Roles() }

// SetBodyPatience sets the time for a whole request.
func SetBodyPatience(o *Options, d time.Duration) { o.bodyPatience = d }
