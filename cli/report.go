package cli

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/report"
)

func reportCommand() *cobra.Command {
	var out string
	var references []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "report LOG …",
		Short: "Write one HTML page about a run, or one that compares runs",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var logs []*report.Log
			for _, path := range args {
				log, err := report.Open(path)
				if err != nil {
					return err
				}
				defer log.Close()
				logs = append(logs, log)
			}
			file, err := os.Create(out)
			if err != nil {
				return fmt.Errorf("write report: %w", err)
			}
			if err := report.Page(file, logs, references); err != nil {
				file.Close()
				return fmt.Errorf("write report %s: %w", out, err)
			}
			if err := file.Close(); err != nil {
				return fmt.Errorf("write report %s: %w", out, err)
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]any{"file": out, "logs": len(logs)})
			}
			fmt.Fprintln(cmd.OutOrStdout(), "wrote", out)
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "report.html", "`file` to write")
	cmd.Flags().StringArrayVar(&references, "reference", nil, "a `line` about published figures to print beside the measured ones")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
