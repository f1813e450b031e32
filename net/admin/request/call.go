package request

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/admin"
)

// Sender is the origin of requests: a page, or a client of the control plane.
type Sender interface {
	// Actor returns whose changes the requests make: the events of systems name it.
	Actor() admin.Actor
	// Role returns what the requests may do.
	Role() Role
}

// Call is a request on its way through a [Table].
type Call[S Sender] struct {
	Sender S
	Method string
	Data   []byte // its arguments: a JSON object of at most [MaxBytes], or nothing

	holders   func(Role) string
	change    Change
	unchanged bool
}

// Change describes what a request changes, for logs and for people.
type Change struct {
	System string
	Ref    string           // block, port or operation; "": none
	Text   string           // what is changed and how: "pid.kp = 3"; may be ""
	Values *admin.SetValues // of parameters that are set, as JSON can hold them
}

// Has reports whether the sender has a role.
func (c *Call[S]) Has(role Role) bool { return c.Sender.Role() >= role }

// Need returns an error where the sender has a lower role than the one that something needs. The error names the users with that role.
func (c *Call[S]) Need(role Role, what string) error {
	if c.Has(role) {
		return nil
	}
	return fmt.Errorf("%s needs the role %v, which %s; %s has %v", what, role, c.holders(role), c.Sender.Actor().User, c.Sender.Role())
}

// Changes notes what the request changes. A handler calls it before it changes anything, so that failures are also known.
func (c *Call[S]) Changes(change Change) { c.change = change }

// Changed notes what the request changes of a system, as [Call.Changes] does.
func (c *Call[S]) Changed(system, format string, args ...any) {
	c.Changes(Change{System: system, Text: fmt.Sprintf(format, args...)})
}

// Unchanged notes that the request changes nothing after all, unless it fails.
func (c *Call[S]) Unchanged() { c.unchanged = true }

// Change returns what the request has changed, or would have if it had not failed with err. ok is false where that is nothing.
func (c *Call[S]) Change(err error) (change Change, ok bool) {
	return c.change, c.change != Change{} && !(c.unchanged && err == nil)
}
