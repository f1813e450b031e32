package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/persist"
	"github.com/sinew-robotics/sinew/net/system"
)

func paramCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "param", Short: "Read, set and save parameters of a running system"}
	var asJSON, dryRun bool
	var r live.Reach
	r.Register(cmd.PersistentFlags())
	list := &cobra.Command{
		Use: "list [SYSTEM]", Short: "List all parameters with their values", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.OnSystem(cmd.Context(), strings.Join(args, ""), func(c *nats.Client) error { return listParams(cmd, c, asJSON) })
		},
	}
	get := &cobra.Command{
		Use: "get [SYSTEM] BLOCK.PARAM", Short: "Print the value of a parameter", Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.OnSystem(cmd.Context(), strings.Join(args[:len(args)-1], ""), func(c *nats.Client) error {
				v, err := c.Param(cmd.Context(), args[len(args)-1])
				if err != nil {
					return err
				}
				return printValue(cmd.OutOrStdout(), v, asJSON)
			})
		},
	}
	set := &cobra.Command{
		Use: "set [SYSTEM] BLOCK.PARAM=VALUE …", Short: "Set parameters; those of one block together", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, changes, err := splitChanges(args)
			if err != nil {
				return err
			}
			return r.OnSystem(cmd.Context(), strings.Join(name, ""), func(c *nats.Client) error {
				var errs []error
				for _, change := range changes {
					errs = append(errs, c.SetParams(cmd.Context(), change.block, change.values))
				}
				return errors.Join(errs...)
			})
		},
	}
	save := &cobra.Command{
		Use: "save [SYSTEM]", Short: "Write tuned values back into the system's files, comments and layout untouched, and show what that changes", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.OnSystem(cmd.Context(), strings.Join(args, ""), func(c *nats.Client) error {
				tuned, err := live.FindTuned(cmd.Context(), c)
				if err != nil {
					return err
				}
				if tuned.Show(cmd.OutOrStdout()); dryRun {
					return nil
				}
				return tuned.Write(cmd.Context(), cmd.OutOrStdout())
			})
		},
	}
	forget := &cobra.Command{
		Use: "forget SYSTEM [BLOCK[.NAME]]", Short: "Remove values that outlive the runs of a system: its next run begins with those of its files", Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error { return forget(cmd, args[0], strings.Join(args[1:], "")) },
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	get.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	save.Flags().BoolVar(&dryRun, "dry-run", false, "only show what would change")
	cmd.AddCommand(list, get, set, save, forget)
	return cmd
}

// forget removes what was kept of a system on this host: all, or what belongs to a block, or one value.
func forget(cmd *cobra.Command, name, ref string) error {
	if err := system.CheckName(name); err != nil {
		return err
	}
	there, err := persist.List(name)
	block, value := ref, ""
	if ref != "" {
		var refs []string
		isBlock := false
		for _, r := range slices.Sorted(maps.Keys(there)) {
			at := strings.LastIndexByte(r, '.')
			isBlock = isBlock || r[:at] == ref
			refs = append(refs, r)
			if !slices.Contains(refs, r[:at]) {
				refs = append(refs, r[:at])
			}
		}
		if at := strings.LastIndexByte(ref, '.'); !isBlock && at > 0 {
			block, value = ref[:at], ref[at+1:]
		}
		if err == nil && !slices.Contains(refs, ref) {
			return fmt.Errorf("forget %s of %s: no such value is kept%s", ref, name, nearest.Hint(ref, refs))
		}
	}
	removed, err := persist.Forget(cmd.Context(), name, block, value)
	for _, r := range removed {
		fmt.Fprintln(cmd.OutOrStdout(), "forgotten:", r)
	}
	if err == nil && len(removed) == 0 {
		fmt.Fprintf(cmd.OutOrStdout(), "nothing is kept of %s on this host\n", name)
	}
	return err
}

// change holds the values to set in one block.
type change struct {
	block  string
	values map[string]any
}

// splitChanges reads "block.param=value" words, the first of which may be the name of a system.
func splitChanges(args []string) (name []string, changes []change, err error) {
	if !strings.Contains(args[0], "=") {
		name, args = args[:1], args[1:]
	}
	for _, text := range args {
		ref, value, ok := strings.Cut(text, "=")
		dot := strings.LastIndexByte(ref, '.')
		if !ok || dot <= 0 {
			if len(name) > 0 && len(args) == 1 && strings.Contains(name[0], ".") {
				return nil, nil, fmt.Errorf("%q: wants block.param=value, as %s=%s", name[0]+" "+text, name[0], text)
			}
			return nil, nil, fmt.Errorf("%q: wants block.param=value, as gain.gain=2", text)
		}
		v, err := parseValue(value)
		if err != nil {
			return nil, nil, fmt.Errorf("%q: %w", text, err)
		}
		i := slices.IndexFunc(changes, func(c change) bool { return c.block == ref[:dot] })
		if i < 0 {
			i = len(changes)
			changes = append(changes, change{ref[:dot], map[string]any{}})
		}
		changes[i].values[ref[dot+1:]] = v
	}
	if len(changes) == 0 {
		return nil, nil, fmt.Errorf("param set %s: no value is given: wants block.param=value, as gain.gain=2", strings.Join(name, ""))
	}
	return name, changes, nil
}

// parseValue reads a value as YAML writes it: 1.5, true, [1, 2], {x: 1}.
func parseValue(text string) (any, error) {
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		return nil, fmt.Errorf("%q is no value: %w", text, err)
	}
	return widen(v), nil
}

// widen makes whole numbers the type that package admin takes.
func widen(v any) any {
	switch x := v.(type) {
	case int:
		return int64(x)
	case []any:
		for i := range x {
			x[i] = widen(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = widen(x[k])
		}
	}
	return v
}

// printValue writes a value as JSON, or as YAML would write it in one line.
func printValue(w io.Writer, v any, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(v)
	}
	_, err := fmt.Fprintln(w, live.Value(v))
	return err
}

func listParams(cmd *cobra.Command, c *nats.Client, asJSON bool) error {
	s, err := c.Structure(cmd.Context())
	if err != nil {
		return err
	}
	all := map[string]any{}
	for _, b := range s.Blocks {
		for _, p := range b.Params {
			ref := b.Name + "." + p.Name
			v, err := c.Param(cmd.Context(), ref)
			if err != nil {
				return err
			}
			all[ref] = v
			if !asJSON {
				fixed := ""
				if p.Fixed {
					fixed = "(fixed)"
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%-32s %-16s %-8s %s\n", ref, live.Value(v), p.Unit, strings.TrimSpace(fixed+" "+p.Doc))
			}
		}
	}
	if asJSON {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(all)
	}
	return nil
}
