package files

import (
	"context"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/request"
	"github.com/sinew-robotics/sinew/net/block"
)

// structurePatience is how long a system may take to describe itself.
const structurePatience = 2 * time.Second

// Systems gives access to the systems that the console shows, and to those that it has seen.
type Systems interface {
	// System returns a running system.
	System(name string) (admin.System, error)
	// Structure describes a running system.
	Structure(ctx context.Context, name string) (*admin.Structure, error)
	// Files returns the files of a system that runs or was seen; of one that was not seen their path is "".
	Files(name string) admin.Files
}

// Caller is the person who asks for a change, with their roles: a [request.Call].
type Caller interface {
	// Has reports whether the person has a role.
	Has(role request.Role) bool
	// Need returns an error where the role is lower than the one that something needs.
	Need(role request.Role, what string) error
	// Changed notes what is changed of a system, for the log and for other pages.
	Changed(system, format string, args ...any)
	// Unchanged notes that nothing is changed after all.
	Unchanged()
}

// Files reads and writes the files of systems.
type Files struct {
	systems  Systems
	types    admin.Checker
	registry *block.Registry
}

// New returns the files of systems. Types describes types of blocks where no system is named; nil: none can be described. Registry has the
// types of blocks whose files people edit; nil: none.
func New(systems Systems, types admin.Checker, registry *block.Registry) *Files {
	return &Files{systems, types, registry}
}

// checkerOf returns what checks the files of a system: the system itself while it runs, else its files, which the console reads
// with its own types of blocks.
func (f *Files) checkerOf(ctx context.Context, name string) (admin.TypeChecker, error) {
	_, err := f.structure(ctx, name)
	files := f.systems.Files(name)
	switch {
	case err == nil:
		return f.systems.System(name)
	case files.Path == "":
		return nil, err
	}
	return files, nil
}

func (f *Files) structure(ctx context.Context, name string) (*admin.Structure, error) {
	ctx, cancel := context.WithTimeout(ctx, structurePatience)
	defer cancel()
	return f.systems.Structure(ctx, name)
}

// TypesRequest asks for types of blocks.
type TypesRequest struct {
	System string         `json:"system"` // "": the types that the console knows
	Type   string         `json:"type"`   // only this one; "": all
	Params map[string]any `json:"params"` // with which the type is described
}

// Types returns the types of blocks that a system may have, as the palette of the net editor shows them.
func (f *Files) Types(ctx context.Context, q TypesRequest) ([]admin.BlockType, error) {
	if q.System == "" {
		return admin.Files{Checker: f.types}.Types(ctx, q.Type, q.Params)
	}
	types, err := f.checkerOf(ctx, q.System)
	if err != nil {
		return nil, err
	}
	return types.Types(ctx, q.Type, q.Params)
}
