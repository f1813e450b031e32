package cli

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/deploy"
)

// hubCommand is the process of a system that is up in which its NATS server runs, one on each host: the supervisor
// starts it, nobody else calls it.
func hubCommand() *cobra.Command {
	return &cobra.Command{
		Use: "hub SYSTEM", Hidden: true, Short: "Run the NATS server of a system on this host", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			hub, err := admin.OpenHub(args[0])
			if err != nil {
				return err
			}
			deploy.TellReady()
			<-ctx.Done()
			return hub.Close()
		},
	}
}
