package verb

import (
	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/system"
)

// AddLoadFlags adds the flags --overlay and --param of verbs that read a system file; they set o.Overlays and o.Params.
func AddLoadFlags(cmd *cobra.Command, o *system.Options) {
	cmd.Flags().StringArrayVar(&o.Overlays, "overlay", nil, "put another `file` over the system file")
	cmd.Flags().StringArrayVar(&o.Params, "param", nil, "set a parameter of a block, or name=value of the system: `block.name=value`")
}
