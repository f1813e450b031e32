//go:build !linux

package rt

import "errors"

// SharedFolder returns the folder of the files of shared memory on Linux, here "".
func SharedFolder() string { return "" }

// errNoShared means that processes cannot share memory on this system.
var errNoShared = errors.New("sinew shares memory between processes on Linux only")

// Shared is memory that processes share: on Linux.
type Shared struct{}

// CreateShared fails here.
func CreateShared(string, int) (*Shared, error) { return nil, errNoShared }

// OpenShared fails here.
func OpenShared(string) (*Shared, error) { return nil, errNoShared }

// Bytes returns nothing.
func (s *Shared) Bytes() []byte { return nil }

// Take takes nothing.
func (s *Shared) Take(int) bool { return false }

// Taken returns false.
func (s *Shared) Taken(int) bool { return false }

// Leave leaves nothing.
func (s *Shared) Leave(int) {}

// Current returns false.
func (s *Shared) Current(string) bool { return false }

// Close does nothing.
func (s *Shared) Close() error { return nil }

// CloseAfter does nothing.
func CloseAfter[T any](*Shared, *T) error { return nil }
