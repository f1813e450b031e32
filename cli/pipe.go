package cli

import (
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/admin"
)

// pipeCommand is what tools on other hosts start through ssh: nobody else calls it. It prints a [greeting] in one line,
// and then is a connection to the system's NATS server on this host.
func pipeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "pipe SYSTEM", Hidden: true, Short: "Join standard input and output to the NATS server of a system", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			conn, token, err := admin.OnHost(args[0]).Dial(cmd.Context())
			g := greeting{Token: token}
			if err != nil {
				g = greeting{Error: err.Error(), Gone: errors.Is(err, fs.ErrNotExist)}
			}
			if e := json.NewEncoder(cmd.OutOrStdout()).Encode(g); e != nil || err != nil {
				return errors.Join(e, err)
			}
			return join(conn, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}
