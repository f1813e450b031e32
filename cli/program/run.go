package program

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

// blockType is the type of the blocks that execute programs.
const blockType = "servo.Program"

func runCommand() *cobra.Command {
	var block string
	var r live.Reach
	cmd := &cobra.Command{
		Use:   "run FILE [SYSTEM]",
		Short: "Run a program in a running system",
		Long: `Run a program in a running system: a file that the parameter programs of its block servo.Program has. The block reads the file again, and begins
where the joints are.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			system := ""
			if len(args) == 2 {
				system = args[1]
			}
			return r.OnSystem(cmd.Context(), system, func(c *nats.Client) error {
				return run(cmd.Context(), c, block, args[0])
			})
		},
	}
	cmd.Flags().StringVar(&block, "block", "", "`name` of the block, where several execute programs")
	r.Register(cmd.Flags())
	return cmd
}

// run begins a program, and waits until it is compiled.
func run(ctx context.Context, c admin.System, block, file string) error {
	block, err := find(ctx, c, block)
	if err != nil {
		return err
	}
	list, err := c.Param(ctx, block+".programs")
	if err != nil {
		return err
	}
	number, names := 0, []string{}
	for k, name := range texts(list) {
		names = append(names, name)
		if filepath.Base(name) == filepath.Base(file) && number == 0 {
			number = k + 1
		}
	}
	if number == 0 {
		return fmt.Errorf("run %s: block %s has no such program in its parameter programs%s; add the file to the parameter, and start the system again", file, block, nearest.Hint(file, names))
	}
	if _, err := c.Call(ctx, block+".run", []any{number}, nil); err != nil {
		return err
	}
	for {
		outcome, err := c.Call(ctx, block+".outcome", nil, nil)
		if err != nil {
			return fmt.Errorf("run %s from where the joints are: %w", file, err)
		}
		if result, _ := outcome.(map[string]any); result["begun"] != false {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// texts returns the strings of a parameter's value.
func texts(value any) (list []string) {
	switch v := value.(type) {
	case []string:
		return v
	case []any:
		for _, x := range v {
			list = append(list, fmt.Sprint(x))
		}
	}
	return list
}

// find returns the name of the block that executes programs.
func find(ctx context.Context, c admin.System, name string) (string, error) {
	s, err := c.Structure(ctx)
	if err != nil {
		return "", err
	}
	var names []string
	for _, b := range s.Blocks {
		if b.Type == blockType {
			names = append(names, b.Name)
			if b.Name == name {
				return name, nil
			}
		}
	}
	switch {
	case len(names) == 0:
		return "", errors.New("the system has no block of type " + blockType + ", which executes programs")
	case name != "":
		return "", fmt.Errorf("--block %s: no block of this name executes programs%s", name, nearest.Hint(name, names))
	case len(names) > 1:
		return "", fmt.Errorf("several blocks execute programs: choose one of %s by --block", strings.Join(names, ", "))
	}
	return names[0], nil
}
