package request

import (
	"fmt"
	"strings"
)

// Role is what a method needs and a sender has. Each role includes those before it.
type Role int

// The roles.
const (
	View  Role = iota // see everything, change nothing
	Tune              // set parameters, edit nets and panels
	Drive             // call operations, override ports, enable and reset blocks, start and stop systems
	Own               // change roles, which programs start, and which files are read and written; make and delete files
)

var roleNames = [...]string{"view", "tune", "drive", "own"}

// String returns view, tune, drive or own.
func (r Role) String() string { return roleNames[r] }

// MarshalText writes the role's name.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the name of a role: view, tune, drive or own. Other names are errors.
func (r *Role) UnmarshalText(text []byte) error {
	for i, name := range roleNames {
		if string(text) == name {
			*r = Role(i)
			return nil
		}
	}
	return fmt.Errorf("role %q: wants %s", text, strings.Join(roleNames[:], ", "))
}
