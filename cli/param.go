package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
)

func paramCommand(registry *block.Registry) *cobra.Command {
	cmd := &cobra.Command{Use: "param", Short: "Read, set and save parameters of a running system"}
	var asJSON, dryRun bool
	var r reach
	r.register(cmd.PersistentFlags())
	list := &cobra.Command{
		Use: "list [SYSTEM]", Short: "List all parameters with their values", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.onSystem(cmd.Context(), strings.Join(args, ""), func(c *admin.Client) error { return listParams(cmd, c, asJSON) })
		},
	}
	get := &cobra.Command{
		Use: "get [SYSTEM] BLOCK.PARAM", Short: "Print the value of a parameter", Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.onSystem(cmd.Context(), strings.Join(args[:len(args)-1], ""), func(c *admin.Client) error {
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
			return r.onSystem(cmd.Context(), strings.Join(name, ""), func(c *admin.Client) error {
				var errs []error
				for _, change := range changes {
					errs = append(errs, c.SetParams(cmd.Context(), change.block, change.values))
				}
				return errors.Join(errs...)
			})
		},
	}
	save := &cobra.Command{
		Use: "save [SYSTEM]", Short: "Write tuned values back into the system file, comments and layout untouched", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.onSystem(cmd.Context(), strings.Join(args, ""), func(c *admin.Client) error { return saveParams(cmd, c, registry, dryRun) })
		},
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	get.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	save.Flags().BoolVar(&dryRun, "dry-run", false, "show the changes and write nothing")
	cmd.AddCommand(list, get, set, save)
	return cmd
}

// change is what is to be set of one block.
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
			return nil, nil, fmt.Errorf("%q: wants block.param=value", text)
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
		return nil, nil, errors.New("nothing to set: wants block.param=value")
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
	_, err := fmt.Fprintln(w, formatValue(v))
	return err
}

// formatValue writes a value in one line that parseValue reads.
func formatValue(v any) string {
	switch x := v.(type) {
	case nil:
		return "–"
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case []any:
		words := make([]string, len(x))
		for i, e := range x {
			words[i] = formatValue(e)
		}
		return "[" + strings.Join(words, ", ") + "]"
	case map[string]any:
		var words []string
		for k, e := range x {
			words = append(words, k+": "+formatValue(e))
		}
		slices.Sort(words)
		return "{" + strings.Join(words, ", ") + "}"
	}
	return fmt.Sprint(v)
}

func listParams(cmd *cobra.Command, c *admin.Client, asJSON bool) error {
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
				fmt.Fprintf(cmd.OutOrStdout(), "%-32s %-16s %-8s %s\n", ref, formatValue(v), p.Unit, strings.TrimSpace(fixed+" "+p.Doc))
			}
		}
	}
	if asJSON {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(all)
	}
	return nil
}

// saveParams compares the running system with its file and writes what was tuned into the file.
func saveParams(cmd *cobra.Command, c *admin.Client, registry *block.Registry, dryRun bool) error {
	s, err := c.Structure(cmd.Context())
	if err != nil {
		return err
	}
	path, err := fileHere(s)
	if err != nil {
		return fmt.Errorf("save parameters of %s: %w", s.System, err)
	}
	file, err := system.Load(path, system.Options{Registry: registry})
	if err != nil {
		return fmt.Errorf("save parameters of %s: %w", s.System, err)
	}
	var changes []system.Change
	for _, b := range file.Net.Blocks {
		for _, p := range b.Params {
			if p.Fixed {
				continue
			}
			now, err := c.Param(cmd.Context(), b.Name+"."+p.Name)
			if err != nil {
				return err
			}
			text := formatValue(now)
			if was := formatValue(widen(p.Value())); text != was && text != formatList(p.Value()) {
				fmt.Fprintf(cmd.OutOrStdout(), "%s.%s: %s → %s\n", b.Name, p.Name, was, text)
				changes = append(changes, system.Change{Block: b.Name, Param: p.Name, Value: text})
			}
		}
	}
	if len(changes) == 0 {
		fmt.Fprintln(cmd.OutOrStdout(), "nothing was tuned: the file says the same")
		return nil
	}
	texts, err := file.SaveParams(changes)
	if err != nil || dryRun {
		return err
	}
	if err := system.Write(texts); err != nil {
		return err
	}
	for path := range texts {
		wd, _ := os.Getwd()
		fmt.Fprintln(cmd.OutOrStdout(), "wrote", strings.TrimPrefix(path, wd+string(os.PathSeparator)))
	}
	return nil
}

// fileHere returns the system file on this host: other hosts have copies of it.
func fileHere(s *admin.Structure) (string, error) {
	here, _ := os.Hostname()
	for _, p := range s.Processes {
		if p.File != "" && (p.Host == here || p.Host == system.LocalHost) {
			return p.File, nil
		}
	}
	if s.File == "" {
		return "", errors.New("it was not started from a file")
	}
	return "", fmt.Errorf("all its processes run on other hosts, from copies as %s: change the file by hand", s.File)
}

// formatList is formatValue for slices of Go.
func formatList(v any) string {
	list, ok := v.([]float64)
	if !ok {
		return ""
	}
	all := make([]any, len(list))
	for i, x := range list {
		all[i] = x
	}
	return formatValue(all)
}
