//go:build !linux

package rt

import "errors"

// SharedFolder is where the files of shared memory lie on Linux.
const SharedFolder = ""

// errNoShared says that processes share no memory here.
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

// Taken knows of nobody.
func (s *Shared) Taken(int) bool { return false }

// Leave leaves nothing.
func (s *Shared) Leave(int) {}

// Current knows of no memory.
func (s *Shared) Current(string) bool { return false }

// Close does nothing.
func (s *Shared) Close() error { return nil }
