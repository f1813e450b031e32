package cli

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/report"
	"github.com/sinew-robotics/sinew/cli/verb"
)

func reportCommand() *cobra.Command {
	var out string
	var published string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "report LOG …",
		Short: "Write one HTML page about a run, or one that compares runs",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			figures, err := readPublished(published)
			if err != nil {
				return err
			}
			var logs []*report.Log
			for _, path := range args {
				log, err := report.Open(path)
				if err != nil {
					return err
				}
				defer log.Close()
				logs = append(logs, log)
			}
			file, err := verb.Create(out, append(args, published)...)
			if err != nil {
				return fmt.Errorf("write report: %w", err)
			}
			if err := report.Page(file, logs, figures); err != nil {
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
	cmd.Flags().StringVar(&published, "published", "", "`file` of published figures to print beside the measured ones, as examples/janus/published.yaml")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// readPublished reads a file of published figures; nil without one.
func readPublished(path string) (*report.Published, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read published figures: %w", err)
	}
	defer file.Close()
	return report.ReadPublished(file, path)
}
