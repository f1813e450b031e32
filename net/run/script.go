package run

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/script"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// startScript makes the system's script, where it has one, begin with the threads. In virtual time without an end the system stops
// with its script; else it goes on, and Options.Output gets the error that ended the script.
func (r *Running) startScript() error {
	if r.sys.Script == "" {
		return nil
	}
	program, err := script.Load(system.Folder("."), r.sys.Script)
	if err != nil {
		return err
	}
	last := r.options.Virtual && r.options.Until == 0
	r.Front.Go(func(p *thread.Participant) {
		if err := program.Run(r.Local.As(p), r.lines); err != nil {
			r.scriptErr = fmt.Errorf("script: %w", err)
			if !last {
				fmt.Fprintf(r.lines, "sinew: the script has stopped, the system goes on: %v\n", err)
			}
		}
		if last {
			r.Front.Stop()
		}
	})
	return nil
}
