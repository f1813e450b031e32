package cli

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/model"
	"github.com/sinew-robotics/sinew/cli/plan"
	"github.com/sinew-robotics/sinew/cli/program"
	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/console/systems"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/simplify"
)

// planCommand returns the verb plan, whose --console opens a console without a system.
func planCommand() *cobra.Command {
	f := &consoleFlags{page: "#/plan"}
	cmd := plan.Command(f.showScenes)
	f.registerPages(cmd, " of --console")
	return cmd
}

// programCommand returns the verb program, whose verb edit opens a console without a system.
func programCommand() *cobra.Command {
	f := &consoleFlags{page: "#/plan?program"}
	return program.Command(f.showScenes, func(edit *cobra.Command) { f.registerPages(edit, "") })
}

// modelCommand returns the verb model, whose verb simplify opens a console without a system.
func modelCommand() *cobra.Command {
	f := &consoleFlags{page: "#/robot"}
	return model.Command(func(cmd *cobra.Command, source, written *description.Robot, links []simplify.Link) error {
		return f.showScenes(cmd, []console.Scene{{Name: source.Name, Robot: written, Simplified: &robots.Simplified{Source: source, Links: links}}})
	}, func(verb *cobra.Command) { f.registerPages(verb, " of --console") })
}

// showScenes serves pages about robots without a system until the verb is interrupted.
func (f *consoleFlags) showScenes(cmd *cobra.Command, scenes []console.Scene) error {
	ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	server, err := f.open(cmd, console.Options{Systems: &systems.InProcess{}, Scenes: scenes})
	if err != nil {
		return err
	}
	<-ctx.Done()
	return server.Close()
}
