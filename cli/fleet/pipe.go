package fleet

import (
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

// pipeCommand is what tools on other hosts start through ssh; it has no other callers. It prints a [live.Greeting] in one line,
// and then is a connection to the system's NATS server on this host.
func pipeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "pipe SYSTEM", Hidden: true, Short: "Join standard input and output to the NATS server of a system", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			conn, token, err := nats.OnHost(args[0]).Dial(cmd.Context())
			g := live.Greeting{Token: token}
			if err != nil {
				g = live.Greeting{Error: err.Error(), Gone: errors.Is(err, fs.ErrNotExist)}
			}
			if e := json.NewEncoder(cmd.OutOrStdout()).Encode(g); e != nil || err != nil {
				return errors.Join(e, err)
			}
			return join(conn, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}
