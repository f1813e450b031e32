package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/record"
)

// hubCommand is the process of a system that is up in which its NATS server runs, one on each host: the supervisor
// starts it, nobody else calls it.
func hubCommand() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use: "hub SYSTEM", Hidden: true, Short: "Run the NATS server of a system on this host", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			hub, err := admin.OpenHub(args[0])
			if err != nil {
				return err
			}
			defer hub.Close()
			if address != "" {
				l := &looker{reach: &reach{}, clients: map[string]*admin.Client{}}
				defer l.close()
				metrics, err := serveMetrics(address, func(ctx context.Context) (*record.RunStatistics, error) {
					s, err := l.lookAt(ctx, args[0])
					return s.RunStatistics, err
				})
				if err != nil {
					return err
				}
				defer metrics.close()
			}
			deploy.TellReady()
			<-ctx.Done()
			return nil
		},
	}
	cmd.Flags().StringVar(&address, "metrics", "", "let Prometheus fetch the metrics of the whole system at this `address` and port")
	return cmd
}
