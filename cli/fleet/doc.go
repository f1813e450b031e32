// Package fleet is the verbs about systems of many processes and hosts: up, down, ps, logs, top and bridge, and the hidden ones
// by which supervisors and hosts run them: supervise, hub, host and pipe.
//
// # Goroutines
//
//	goroutine       started by    owner   bound                end
//	standard input  join          join    1, in pipe and host  with the process, which ends when the connection does
//	dialling        ask           looker  1 for each system    when the system is reached or not, at most 50 s after looker.close
//	question        askProcesses  looker  1 for each process   with the answer, after 10 s, or at looker.close
package fleet

import (
	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/block"
)

// Commands returns the verbs for users. The registry holds what system files may use.
func Commands(registry *block.Registry) []*cobra.Command {
	return []*cobra.Command{upCommand(registry), downCommand(), psCommand(), logsCommand(), topCommand(), bridgeCommand(registry)}
}

// Services returns the hidden verbs, for other commands.
func Services() []*cobra.Command {
	return []*cobra.Command{superviseCommand(), hubCommand(), hostCommand(), pipeCommand()}
}
