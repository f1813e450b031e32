package cli

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/plan"
	"github.com/sinew-robotics/sinew/cli/program"
	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/console/systems"
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

// showScenes serves pages that plan in scenes until the verb is interrupted.
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
