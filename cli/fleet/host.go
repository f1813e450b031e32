package fleet

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/deploy"
)

// hostCommand is what one host asks of another through ssh; it has no other callers.
func hostCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "host", Hidden: true, Short: "What one host of a system asks of another"}
	cmd.AddCommand(
		&cobra.Command{Use: "info", Short: "Describe this host", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
			info, err := deploy.Inform()
			if err != nil {
				return err
			}
			return json.NewEncoder(cmd.OutOrStdout()).Encode(info)
		}},
		&cobra.Command{Use: "compare SYSTEM", Short: "List files that differ here", Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
			return deploy.Compare(args[0], cmd.InOrStdin(), cmd.OutOrStdout())
		}},
		&cobra.Command{Use: "unpack SYSTEM", Short: "Take files", Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
			return deploy.Unpack(args[0], cmd.InOrStdin())
		}},
		&cobra.Command{Use: "start [PROCESS...]", Short: "Start the supervisor of a plan, and leave processes stopped", RunE: func(cmd *cobra.Command, args []string) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			return deploy.StartHere(cmd.InOrStdin(), self, args, func(system string) error { return End(cmd.Context(), system) })
		}},
		&cobra.Command{Use: "reach SYSTEM", Short: "Join standard input and output to the supervisor", Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
			console, err := deploy.At(args[0])
			if err != nil {
				return err
			}
			conn, err := console.Dial()
			if err != nil {
				return err
			}
			return join(conn, cmd.InOrStdin(), cmd.OutOrStdout())
		}},
		&cobra.Command{Use: "down SYSTEM", Short: "Stop what runs here of a system", Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
			if err := End(cmd.Context(), args[0]); !errors.Is(err, ErrNotUp) {
				return err
			}
			return nil
		}},
	)
	return cmd
}

// drainTime is how long the other side may continue to send after the standard input has ended.
const drainTime = time.Second

// join copies between a connection and the standard streams until the connection ends. When the standard
// input ends, by which ssh signals that its client is gone, join closes its sending side and waits for [drainTime].
func join(conn net.Conn, in io.Reader, out io.Writer) error {
	defer conn.Close()
	go func() { // ends with the process, which ends when the other direction does
		_, _ = io.Copy(conn, in)
		if half, ok := conn.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite()
			time.Sleep(drainTime)
		}
		conn.Close()
	}()
	_, err := io.Copy(out, conn)
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
