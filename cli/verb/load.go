package verb

import (
	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
)

// LoadFlags are the flags of verbs that read a system file.
type LoadFlags struct {
	Overlays []string // further files, put over the system file in order
	Params   []string // assignments BLOCK.NAME=VALUE
	Name     string   // of the system, instead of that in its file; ""
	Restore  bool     // give blocks what an earlier run has left, and keep it again
	Process  string   // the only process to build, as SYSTEM.PROCESS; "": the whole system
}

// Register adds the flags --overlay and --param.
func (l *LoadFlags) Register(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&l.Overlays, "overlay", nil, "put another `file` over the system file")
	cmd.Flags().StringArrayVar(&l.Params, "param", nil, "set a parameter of a block, or name=value of the system: `block.name=value`")
}

// Load reads the system file at path with the flags. The error lists all mistakes of the file with their positions.
func (l *LoadFlags) Load(path string, registry *block.Registry) (*system.System, error) {
	return system.Load(path, system.Options{Registry: registry, Overlays: l.Overlays, Params: l.Params, Process: l.Process, Name: l.Name, Restore: l.Restore})
}
