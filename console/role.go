package console

import (
	"fmt"
	"strings"
)

// Role says what a person may do; each role includes those before it.
type Role int

// The roles.
const (
	View  Role = iota // look at everything, change nothing
	Tune              // set parameters, override ports, edit nets and panels
	Drive             // call operations, start and stop systems
)

var roleNames = [...]string{"view", "tune", "drive"}

func (r Role) String() string { return roleNames[r] }

// MarshalText writes the role's name.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the name of a role: view, tune or drive.
func (r *Role) UnmarshalText(text []byte) error {
	for i, name := range roleNames {
		if string(text) == name {
			*r = Role(i)
			return nil
		}
	}
	return fmt.Errorf("role %q: wants %s", text, strings.Join(roleNames[:], ", "))
}

// User is a person who may sign in.
type User struct {
	Name  string
	Token string // what he signs in with; at least 16 characters
	Role  Role
}
