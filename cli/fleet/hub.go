package fleet

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/metrics"
	"github.com/sinew-robotics/sinew/net/record"
)

// metricsTimeout is how long the processes have to answer when metrics are fetched; Prometheus waits 10 s.
const metricsTimeout = 2 * time.Second

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
				m := &measured{system: args[0]}
				defer m.close()
				server, err := metrics.Serve(address, m.statistics)
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

// measured is the system whose metrics are fetched.
type measured struct {
	system string
	mu     sync.Mutex // one question at a time
	client *nats.Client
}

// statistics returns what the processes answer that are quick enough: old values are no metrics.
func (m *measured) statistics(ctx context.Context) (*record.RunStatistics, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.client == nil {
		var err error
		if m.client, err = new(live.Reach).Dial(ctx, m.system); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, metricsTimeout)
	defer cancel()
	s, err := m.client.Statistics(ctx)
	if err != nil {
		err = errors.Join(err, m.client.Close())
		m.client = nil
	}
	return s, err
}

func (m *measured) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.client != nil {
		_ = m.client.Close()
	}
}
