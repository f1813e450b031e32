package cli

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

// hostCommand is what one host asks of another through ssh: nobody else calls it.
func hostCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "host", Hidden: true, Short: "What one host of a system asks of another"}
	cmd.AddCommand(
		&cobra.Command{Use: "info", Short: "Tell of this host", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
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
		&cobra.Command{Use: "start", Short: "Start the supervisor of a plan", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			return deploy.StartHere(cmd.InOrStdin(), self, func(system string) error { return endSystem(cmd.Context(), system) })
		}},
		&cobra.Command{Use: "reach SYSTEM", Short: "Join standard input and output to the supervisor", Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
			conn, err := deploy.Console{Folder: deploy.Folder(args[0])}.Dial()
			if err != nil {
				return err
			}
			return join(conn, cmd.InOrStdin(), cmd.OutOrStdout())
		}},
		&cobra.Command{Use: "down SYSTEM", Short: "Stop what runs here of a system", Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
			if err := endSystem(cmd.Context(), args[0]); !errors.Is(err, errNotUp) {
				return err
			}
			return nil
		}},
	)
	return cmd
}

// lastWords is how long the other side may go on talking after the standard input has ended.
const lastWords = time.Second

// join copies between a connection and the standard streams until the connection ends. After the end of the standard
// input, which is how ssh tells that nobody listens any more, the other side hears the end and may finish its sentence.
func join(conn net.Conn, in io.Reader, out io.Writer) error {
	defer conn.Close()
	go func() { // ends with the process, which ends when the other direction does
		_, _ = io.Copy(conn, in)
		if half, ok := conn.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite()
			time.Sleep(lastWords)
		}
		conn.Close()
	}()
	_, err := io.Copy(out, conn)
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
