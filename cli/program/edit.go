package program

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/model"
	"github.com/sinew-robotics/sinew/cli/plan"
	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// editCommand returns the verb that opens programs on a page of a console without a system.
func editCommand(show plan.Show) *cobra.Command {
	var f robotFlags
	var obstacles string
	cmd := &cobra.Command{
		Use:   "edit FILE...",
		Short: "Edit programs on a page, without a system",
		Long: `Edit programs on the page Plan of a console without a system: their points are dragged, mistakes and times shown, the motion played on a ghost, and what is
changed is saved after its difference was shown.`,
		Example: "  sinew program edit examples/arm/square.yaml --robot models/panda/panda.urdf --locked panda_finger_joint1=0.02 --start 0,-0.7854,0,-2.3562,0,1.5708,0.7854",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.scene(args, obstacles)
			if err != nil {
				return err
			}
			return show(cmd, []console.Scene{*s})
		},
	}
	f.register(cmd)
	registerScene(cmd, &obstacles, "obstacles around the robot")
	return cmd
}

// scene returns the robot in a scene with the obstacles of a file, if any, and with programs.
func (f *robotFlags) scene(files []string, obstacles string) (*console.Scene, error) {
	d, m, names, err := f.read()
	if err != nil {
		return nil, err
	}
	arm := &robots.Arm{Joints: names}
	if arm.Limits, err = f.limits(m, names); err != nil {
		return nil, err
	}
	if arm.Semantic, err = f.semantic(); err != nil {
		return nil, err
	}
	var allowed []scene.Pair // nil: they are found by samples
	if arm.Semantic != nil {
		allowed = arm.Semantic.Allowed(d)
	}
	w, err := robots.NewWorld(d, allowed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.robot, err)
	}
	if obstacles != "" {
		var notes []string
		if w.Scene, notes, err = plan.Surround(w.Scene, obstacles); err != nil {
			return nil, err
		}
		w.Notes = append(w.Notes, notes...)
	}
	if w.Start, err = f.positions(m, names); err != nil {
		return nil, err
	}
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err == nil {
			_, err = os.Stat(path)
		}
		if err != nil {
			return nil, fmt.Errorf("edit %s: %w", file, err)
		}
		if kind := model.Kind(file); kind != "" && filepath.Ext(file) != ".yaml" {
			return nil, fmt.Errorf("edit %s: it is %s; name a program of moves", file, kind)
		}
		w.Programs = append(w.Programs, robots.Program{Name: filepath.Base(file), File: path, Files: os.DirFS(filepath.Dir(path)),
			Arm: func(context.Context) (*robots.Arm, error) { return arm, nil }})
	}
	return &console.Scene{Name: d.Name, Robot: d, World: w}, nil
}
