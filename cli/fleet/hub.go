package fleet

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/metrics"
	"github.com/sinew-robotics/sinew/net/record"
)

// hubCommand is the process of a system that is up in which its NATS server runs, one on each host: the supervisor
// starts it; it has no other callers.
func hubCommand() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use: "hub SYSTEM", Hidden: true, Short: "Run the NATS server of a system on this host", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			hub, err := nats.OpenHub(args[0])
			if err != nil {
				return err
			}
			defer hub.Close()
			if address != "" {
				l := &looker{reach: &live.Reach{}, clients: map[string]*nats.Client{}}
				defer l.close()
				server, err := metrics.Serve(address, func(ctx context.Context) (*record.RunStatistics, error) {
					s, err := l.lookAt(ctx, args[0])
					return s.RunStatistics, err
				})
				if err != nil {
					return err
				}
				defer server.Close()
			}
			proc.Readiness()()
			<-ctx.Done()
			return nil
		},
	}
	cmd.Flags().StringVar(&address, "metrics", "", "let Prometheus fetch the metrics of the whole system at this `address` and port")
	return cmd
}
