package model

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/internal/durable"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

func pairsCommand() *cobra.Command {
	var source sourceFlags
	var out outputFlags
	var file string
	var samples int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "pairs FILE",
		Short: "Find the pairs of links that need no collision check, and write them as SRDF",
		Long: `Find the pairs of links that need no collision check, and write them as SRDF.

The collision geometry of the links is compared in random configurations within the limits of the joints. A pair that touches in all of them, a
pair that touches in none, and neighbours at a joint that touch in some need no check. That is a guess: a pair that touches in a tiny part of the
configurations may be listed as Never; with more samples the guess is better.`,
		Example: "  sinew model pairs ur5.urdf -o ur5.srdf\n  sinew model pairs panda.urdf --samples 100000 --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if samples < 1 || samples > maxSamples {
				return fmt.Errorf("--samples %d: wants 1 … %d", samples, maxSamples)
			}
			robot, m, err := source.model(args[0])
			if err != nil {
				return err
			}
			solid, note := robot.Solid()
			shapes, err := solid.Shapes()
			if err != nil {
				return err
			}
			s, err := scene.New(scene.Model{Model: m, Shapes: shapes})
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			found, err := scene.FindAllowed(exact.New(s), samples, seed)
			if err != nil {
				return err
			}
			var pairs []description.LinkPair
			of := map[string]int{}
			list := []map[string]string{}
			for _, p := range found {
				of[p.Reason]++
				pairs = append(pairs, description.LinkPair{Link1: p.A, Link2: p.B, Reason: p.Reason})
				list = append(list, map[string]string{"link1": p.A, "link2": p.B, "reason": p.Reason})
			}
			if file != "" {
				if err := writePairs(file, robot.Name, pairs); err != nil {
					return err
				}
			}
			object := map[string]any{"robot": robot.Name, "samples": samples, "seed": seed, "pairs": list}
			if note != "" {
				object["note"] = note
			}
			return out.write(cmd.OutOrStdout(), object, func(w io.Writer) {
				t := newTable("link", "<link", "<reason")
				for _, p := range found {
					t.row(p.A, p.B, p.Reason)
				}
				t.print(w)
				fmt.Fprintf(w, "%d pairs of %d links with shapes need no check, found by %d samples: %d always touch, %d never, %d are adjacent\n",
					len(found), len(s.Bodies()), samples, of[scene.Always], of[scene.Never], of[scene.Adjacent])
				if note != "" {
					fmt.Fprintln(w, note)
				}
				if file != "" {
					fmt.Fprintf(w, "wrote %s\n", file)
				}
			})
		},
	}
	source.registerFile(cmd)
	source.registerMimic(cmd)
	out.register(cmd, oneObject)
	cmd.Flags().StringVarP(&file, "output", "o", "", "`file` to write, SRDF; it must not exist")
	cmd.Flags().IntVar(&samples, "samples", 10_000, "`number` of configurations")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "`number` that seeds the configurations")
	return cmd
}

// writePairs writes a new file. It does not replace one, which may hold groups and poses.
func writePairs(file, robot string, pairs []description.LinkPair) error {
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("write %s: the file exists, and may hold groups and poses; name another one", file)
	}
	var text bytes.Buffer
	if err := description.WritePairs(&text, robot, pairs); err != nil {
		return err
	}
	return durable.WriteFile(file, text.Bytes(), 0o644)
}
