package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sinew-robotics/sinew/internal/nearest"
)

// explainUsage makes a command and those below it report wrong arguments and flags with what they want.
func explainUsage(c *cobra.Command) {
	if wants := c.Args; wants != nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			if wants(cmd, args) == nil {
				return missingFlag(cmd)
			}
			return fmt.Errorf("%s: wants %s, got %s; %s --help describes it", verbOf(cmd), argumentsOf(cmd), given(args), cmd.CommandPath())
		}
	}
	c.SetFlagErrorFunc(explainFlag)
	for _, sub := range c.Commands() {
		explainUsage(sub)
	}
}

// missingFlag returns an error where a flag, or one of several, without which the command does nothing is not given, and where two exclude
// one another.
func missingFlag(cmd *cobra.Command) (err error) {
	if groups := cmd.ValidateFlagGroups(); groups != nil {
		return fmt.Errorf("%s: %w; %s --help describes them", verbOf(cmd), groups, cmd.CommandPath())
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if needed := f.Annotations[cobra.BashCompOneRequiredFlag]; err == nil && !f.Changed && slices.Contains(needed, "true") {
			err = fmt.Errorf("%s: --%s is missing: %s; %s --help describes it", verbOf(cmd), f.Name, strings.ReplaceAll(f.Usage, "`", ""), cmd.CommandPath())
		}
	})
	return err
}

// explainVerb adds to an unknown verb the one that was meant.
func explainVerb(root *cobra.Command, err error) error {
	var word string
	if err == nil {
		return nil
	}
	if _, other := fmt.Sscanf(err.Error(), "unknown command %q", &word); other != nil {
		return err
	}
	var verbs []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			verbs = append(verbs, c.Name())
		}
	}
	hint := "; sinew --help lists all"
	if known := verbElsewhere(root, word); known != "" {
		hint = fmt.Sprintf("; did you mean \"sinew %s\"?", known)
	} else if near := nearest.Similar(word, slices.Values(verbs)); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	} else if strings.Contains(word, ".") {
		hint = fmt.Sprintf("; sinew run %s runs a system", word)
	}
	return fmt.Errorf("sinew has no verb %q%s", word, hint)
}

// verbElsewhere returns the verb for a word that is one below another verb, or one of other tools; "" where it is none.
func verbElsewhere(root *cobra.Command, word string) string {
	for _, c := range root.Commands() {
		for _, sub := range c.Commands() {
			if c.IsAvailableCommand() && sub.IsAvailableCommand() && sub.Name() == word {
				return verbOf(sub)
			}
		}
	}
	switch word {
	case "events":
		return "browse"
	case "echo", "monitor", "watch":
		return "tap"
	case "start", "simulate":
		return "run"
	case "launch", "deploy":
		return "up"
	case "stop", "kill":
		return "down"
	case "status", "systems":
		return "ps"
	case "record":
		return "run --record"
	case "init", "create":
		return "new"
	}
	return ""
}

// unknownVerb returns an error if the arguments name a verb that has verbs below it, and then none of these.
func unknownVerb(root *cobra.Command, args []string) error {
	c, rest, err := root.Find(args)
	if err != nil || c == root || c.Runnable() || !c.HasAvailableSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return nil
	}
	var verbs []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			verbs = append(verbs, sub.Name())
		}
	}
	return fmt.Errorf("%s has no verb %q%s", c.CommandPath(), rest[0], nearest.Hint(rest[0], verbs))
}

// argumentsOf returns the arguments of a command as its use line has them.
func argumentsOf(c *cobra.Command) string {
	if _, args, some := strings.Cut(c.Use, " "); some {
		return args
	}
	return "no arguments"
}

// verbOf returns the name of a command without that of the whole, which begins every error.
func verbOf(c *cobra.Command) string { return strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ") }

func given(args []string) string {
	if len(args) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%q", args)
}

// numbers are the types of flags whose values are numbers, and what they want.
var numbers = map[string]string{
	"float64": "a number without a unit, as 2.5", "int": "a whole number, as 2", "uint": "a whole number from 0, as 2",
	"int64": "a whole number, as 2", "uint64": "a whole number from 0, as 2",
}

// explainFlag adds to what is wrong with a flag: the name that was meant, or the form of its value.
func explainFlag(cmd *cobra.Command, err error) error {
	text := err.Error()
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	name, unknown := strings.CutPrefix(text, "unknown flag: --")
	var invalid *pflag.InvalidValueError
	switch {
	case unknown && strings.Contains(cmd.Use, "[-- arguments of run]"):
		return fmt.Errorf("%s: %s; flags of run follow --, as in %s FILE -- --%s", verbOf(cmd), text, cmd.CommandPath(), name)
	case unknown:
		if near := nearest.Name(name, names); near != "" {
			return fmt.Errorf("%s: %s; did you mean --%s?", verbOf(cmd), text, near)
		}
	case errors.As(err, &invalid) && numbers[invalid.GetFlag().Value.Type()] != "":
		f := invalid.GetFlag()
		return fmt.Errorf("%s: --%s %q: wants %s: %s", verbOf(cmd), f.Name, invalid.GetValue(), numbers[f.Value.Type()], strings.ReplaceAll(f.Usage, "`", ""))
	case strings.Contains(text, "time: "):
		return fmt.Errorf("%s: %s; a time has a unit, as 10s or 500ms", verbOf(cmd), text)
	}
	return fmt.Errorf("%s: %s; %s --help lists its flags", verbOf(cmd), text, cmd.CommandPath())
}
