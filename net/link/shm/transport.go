package shm

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

// Transport opens links through shared memory, among the processes of one system and one user. Create it with [New].
type Transport struct {
	system string
	// Spin is how long a waiting Receive polls for a packet before it sleeps: it saves the wake-up, some µs, at the
	// cost of processor time.
	Spin time.Duration
	// Pinned lets a waiting Receive wake as fast as in C. It is meant for processes whose garbage collector is off: a
	// stop of the world waits for it, up to 20 ms.
	Pinned bool
}

var _ link.Transport = (*Transport)(nil)

// New returns the transport of a system's links. It fails on systems other than Linux, and for a name that is not a file name.
func New(system string) (*Transport, error) {
	if rt.SharedFolder() == "" {
		return nil, fmt.Errorf("open shared memory between processes: it is available on Linux only; run all threads in one process, or link by UDP")
	}
	if err := checkName(system); err != nil {
		return nil, fmt.Errorf("system %w", err)
	}
	return &Transport{system: system}, nil
}

// Folder returns the folder of a system's segments.
func Folder(system string) string {
	return filepath.Join(rt.SharedFolder(), system)
}

// Close does nothing: the ends hold all resources.
func (t *Transport) Close() error { return nil }

// checkName returns an error unless a system or link can have the name.
func checkName(name string) error {
	if !link.IsName(name) {
		return fmt.Errorf("name %q: want 1 to %d letters, digits and . _ -, and no . at the start", name, link.MaxName)
	}
	return nil
}

func (t *Transport) path(spec *link.Spec) (string, error) {
	if err := checkName(spec.Name); err != nil {
		return "", fmt.Errorf("link %w", err)
	}
	if spec.Size < 1 || spec.Size > link.MaxSize || spec.Depth < 0 {
		return "", fmt.Errorf("link %q: size %d and depth %d are out of range: want a size of 1 to %d bytes and a depth of at least 0", spec.Name, spec.Size, spec.Depth, link.MaxSize)
	}
	return filepath.Join(Folder(t.system), spec.Name), nil
}

// Find completes a spec of which only the name is known from the existing segment of the link; it returns false if
// there is none. The schema stays unknown: its digest is not compared then.
func (t *Transport) Find(spec *link.Spec) bool {
	shared, err := rt.OpenShared(filepath.Join(Folder(t.system), spec.Name))
	if err != nil {
		return false
	}
	defer shared.Close()
	m, le := shared.Bytes(), binary.LittleEndian
	if len(m) < atSeatTab || le.Uint64(m[atMagic:]) != magic || le.Uint32(m[atVersion:]) != version {
		return false
	}
	found := *spec
	found.Size, found.Depth, found.Overflow = int(le.Uint64(m[atSize:])), int(le.Uint32(m[atDepth:])), lockfree.Overflow(le.Uint32(m[atPolicy:]))
	found.Varies = le.Uint32(m[atVaries:]) == 1
	if _, err := t.path(&found); err != nil || found.Depth > len(m) || found.Size > len(m) || len(m) != segmentBytes(&found) {
		return false
	}
	*spec = found
	return true
}

// retryPeriod is how often an end that could not open its segment tries again.
const retryPeriod = 100 * time.Millisecond
