package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

func callCommand() *cobra.Command {
	var name string
	var asJSON bool
	var r live.Reach
	cmd := &cobra.Command{
		Use:     "call BLOCK.OPERATION [ARGUMENT | NAME=ARGUMENT] …",
		Short:   "Call an operation of a running system",
		Example: "  sinew call generator.moveTo '[1, 1]' 10\n  sinew call generator.moveTo 'positions=[1, 1]' duration=10",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, words []string) error {
			args, named := []any{}, map[string]any{}
			for _, word := range words[1:] {
				if strings.HasPrefix(word, "--") {
					return fmt.Errorf("%s stands behind the operation, where its arguments are: write flags before %s", word, words[0])
				}
				key, text, isNamed := strings.Cut(word, "=")
				if !isNamed {
					text = word
				}
				v, err := parseValue(text)
				if err != nil {
					return err
				}
				if isNamed {
					named[key] = v
				} else {
					args = append(args, v)
				}
			}
			return r.OnSystem(cmd.Context(), name, func(c *nats.Client) error {
				result, err := c.Call(cmd.Context(), words[0], args, named)
				if err != nil || result == nil && !asJSON {
					return err
				}
				return printValue(cmd.OutOrStdout(), result, asJSON)
			})
		},
	}
	cmd.Flags().SetInterspersed(false) // an argument such as -2 is no flag
	cmd.Flags().StringVar(&name, "system", "", "`name` of the system, where several run")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	r.Register(cmd.Flags())
	return cmd
}

func tapCommand() *cobra.Command {
	var name string
	var every, count int
	var asJSON bool
	var r live.Reach
	cmd := &cobra.Command{
		Use:   "tap BLOCK.PORT",
		Short: "Print what is new at a port of a running system",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			return r.OnSystem(cmd.Context(), name, func(c *nats.Client) error {
				c.OnNotice(func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), "sinew:", text) })
				enough := make(chan struct{})
				var n atomic.Int64
				end, err := c.Tap(ctx, args[0], every, func(s admin.Sample) {
					k := n.Add(1)
					if count > 0 && k > int64(count) {
						return
					}
					if asJSON {
						_ = json.NewEncoder(cmd.OutOrStdout()).Encode(s)
					} else {
						age := ""
						if s.Age > 0 {
							age = fmt.Sprintf("  (%v old)", s.Age)
						}
						fmt.Fprintf(cmd.OutOrStdout(), "%12.6f  %s%s\n", s.Time.Seconds(), live.Value(s.Value), age)
					}
					if k == int64(count) {
						close(enough)
					}
				})
				if err != nil {
					return err
				}
				select {
				case <-enough:
				case <-ctx.Done():
				case <-c.Done():
					return nil
				}
				end()
				if lost := c.Lost(); lost > 0 {
					return fmt.Errorf("tap %s: %d samples were lost: the terminal is too slow, use --every", args[0], lost)
				}
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&name, "system", "", "`name` of the system, where several run")
	cmd.Flags().IntVar(&every, "every", 1, "at most once in `n` activations of the port's thread")
	cmd.Flags().IntVar(&count, "count", 0, "end after `n` samples")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	r.Register(cmd.Flags())
	return cmd
}
