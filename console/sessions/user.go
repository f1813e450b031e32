package sessions

import "github.com/sinew-robotics/sinew/net/admin/request"

// User is a person who may sign in.
type User struct {
	Name  string
	Token string // for signing in; at least 16 characters
	Role  request.Role
}
