//go:build !linux

package testkit

import (
	"os/exec"
	"testing"
)

// Users are two users of this machine: on Linux.
type Users struct {
	Victim, Stranger *User
	Shared           string
}

// User is a user of this machine.
type User struct {
	ID   int
	Home string
}

// Roles are the parts of a test that run as one of the users, by name.
type Roles map[string]func(t *testing.T)

// TwoUsers skips the test.
func TwoUsers(t *testing.T, _ Roles) *Users {
	t.Helper()
	t.Skip("SKIPPED: attacks by another local user are tested on Linux")
	return nil
}

// Command returns nothing here.
func (u *User) Command(string, ...string) *exec.Cmd { return nil }

// Output runs nothing here.
func (u *User) Output(string, ...string) (string, error) { return "", nil }

// Run executes nothing here.
func (u *User) Run(*testing.T, string, ...string) string { return "" }

// Start executes nothing here.
func (u *User) Start(*testing.T, string, ...string) (string, func()) { return "", func() {} }

// Ready does nothing here.
func Ready() {}
