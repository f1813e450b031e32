package cli

import (
	"fmt"
	"log/slog"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/net/block"
)

// consoleFlags say where a console listens and to whom.
type consoleFlags struct {
	listen string
	hosts  []string
}

func (f *consoleFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.listen, "listen", "127.0.0.1:0", "serve the pages at this `address:port`; port 0 is a free one")
	cmd.Flags().StringArrayVar(&f.hosts, "host", nil, "a `name` of this machine that browsers may use")
}

// open starts a console and prints its address.
func (f *consoleFlags) open(cmd *cobra.Command, systems console.Systems, registry *block.Registry) (*console.Server, error) {
	server, err := console.Open(console.Options{
		Systems: systems, Registry: registry, Listen: f.listen, Hosts: f.hosts, Version: Version,
		Log: slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil)),
	})
	if err == nil {
		fmt.Fprintln(cmd.OutOrStdout(), "console:", server.URL())
	}
	return server, err
}

func consoleCommand(registry *block.Registry) *cobra.Command {
	f := &consoleFlags{}
	cmd := &cobra.Command{
		Use:   "console [SYSTEM...]",
		Short: "Show and steer running systems in a browser",
		Long: `Serve the operator's console: pages that show the systems of this host that run, or those named, and steer them.
The address that it prints holds a token: whoever has it may drive. It listens on this machine only, unless --listen says otherwise.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer cancel()
			server, err := f.open(cmd, console.OnHost(args), registry)
			if err != nil {
				return err
			}
			<-ctx.Done()
			return server.Close()
		},
	}
	f.register(cmd)
	return cmd
}
