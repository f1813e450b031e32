package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/cli/report"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/system"
)

// completeTimeout is how long the shell's completion waits for a running system.
const completeTimeout = time.Second

// completion returns the words that can stand in the place of the next argument.
type completion func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective)

// addCompletions makes the shell complete the arguments of verbs: system files, running systems, and the names of their blocks with
// ports, parameters and operations.
func addCompletions(root *cobra.Command, registry *block.Registry) {
	inFile := func(what func(*port.Instance) []string) completion {
		return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return namesInFile(args, registry, what), cobra.ShellCompDirectiveNoFileComp
		}
	}
	setting := func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		words, _ := inFile(paramNames)(cmd, args, word)
		for i := range words {
			words[i] += "="
		}
		return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	for path, list := range map[string][]completion{
		"run": {systemFile}, "check": {systemFile}, "up": {systemFile}, "dev": {systemFile},
		"schema": {systemFile, inFile(portNames)},
		"attach": {runningSystem}, "browse": {runningSystem}, "down": {runningSystem}, "logs": {runningSystem}, "ps": {runningSystem},
		"top": {runningSystem}, "console": {runningSystem}, "param list": {runningSystem}, "param save": {runningSystem},
		"param get":     {running(inBlocks(paramsOf, ""))},
		"param set":     {running(inBlocks(paramsOf, "="))},
		"tap":           {running(inBlocks(portsOf, ""))},
		"program check": {systemFile}, "program draw": {systemFile, picture}, "program run": {systemFile, runningSystem},
		"call":   {running(inBlocks(operationsOf, ""))},
		"plot":   {logFile, signalsOfLog},
		"report": {logFile},
	} {
		cmd, _, err := root.Find(strings.Fields(path))
		if err != nil || cmd == root {
			panic("cli: no verb " + path)
		}
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			at := len(args)
			if at >= len(list) {
				if last := list[len(list)-1]; strings.Contains(cmd.Use, "…") || strings.Contains(cmd.Use, "...") {
					return last(cmd, args, word)
				}
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return list[at](cmd, args, word)
		}
		if cmd.Flags().Lookup("param") != nil {
			_ = cmd.RegisterFlagCompletionFunc("param", setting)
		}
	}
}

func systemFile(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

func picture(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []string{"svg", "png"}, cobra.ShellCompDirectiveFilterFileExt
}

func logFile(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []string{"mcap"}, cobra.ShellCompDirectiveFilterFileExt
}

// signalsOfLog completes the signals of the log that is the first argument.
func signalsOfLog(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	log, err := report.Open(args[0])
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer log.Close()
	names, _ := log.Signals()
	return names, cobra.ShellCompDirectiveNoFileComp
}

// namesInFile returns names in the system file that is the first argument.
func namesInFile(args []string, registry *block.Registry, what func(*port.Instance) []string) (names []string) {
	if len(args) == 0 {
		return nil
	}
	sys, err := system.Load(args[0], system.Options{Registry: registry})
	if err != nil {
		return nil
	}
	for _, b := range sys.Net.Blocks {
		for _, name := range what(b) {
			names = append(names, b.Name+"."+name)
		}
	}
	return names
}

func portNames(b *port.Instance) (names []string) {
	for _, p := range b.Ports {
		names = append(names, p.Name)
	}
	return names
}

func paramNames(b *port.Instance) (names []string) {
	for _, p := range b.Params {
		names = append(names, p.Name)
	}
	return names
}

func runningSystem(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(context.Background(), completeTimeout)
	defer cancel()
	names, _ := live.ReachOf(cmd.Flags()).List(ctx)
	return names, cobra.ShellCompDirectiveNoFileComp
}

// running completes what names returns of a running system: of the flag --system or the first argument, else the only one.
func running(names func(*admin.Structure) []string) completion {
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(context.Background(), completeTimeout)
		defer cancel()
		name, r := "", live.ReachOf(cmd.Flags())
		if f := cmd.Flag("system"); f != nil {
			name = f.Value.String()
		} else if len(args) > 0 && !strings.Contains(args[0], ".") {
			name = args[0]
		}
		var words []string
		_ = r.OnSystem(ctx, name, func(c *nats.Client) error {
			s, err := c.Structure(ctx)
			if err == nil {
				words = names(s)
			}
			return err
		})
		directive := cobra.ShellCompDirectiveNoFileComp
		if len(words) > 0 && strings.HasSuffix(words[0], "=") {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		return words, directive
	}
}

// inBlocks returns what names finds in the blocks of a system, as "block.name" with a suffix.
func inBlocks(names func(*admin.Block) []string, suffix string) func(*admin.Structure) []string {
	return func(s *admin.Structure) (list []string) {
		for i := range s.Blocks {
			for _, name := range names(&s.Blocks[i]) {
				list = append(list, s.Blocks[i].Name+"."+name+suffix)
			}
		}
		slices.Sort(list)
		return list
	}
}

func portsOf(b *admin.Block) (names []string) {
	for _, p := range b.Ports {
		names = append(names, p.Name)
	}
	return names
}

func paramsOf(b *admin.Block) (names []string) {
	for _, p := range b.Params {
		names = append(names, p.Name)
	}
	return names
}

func operationsOf(b *admin.Block) (names []string) {
	for _, o := range b.Operations {
		names = append(names, o.Name)
	}
	return names
}
