package cli

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/sinew-robotics/sinew/net/system"
)

// onceOnly are the flags of run that count for one run: another one has its own length, no core to take up, and no sinew dev before it.
var onceOnly = []string{"for", "notes", "resume"}

// again returns the command that runs a system again as it is run now, and the folder in which it was given; both are empty if
// the command is unknown.
func again(flags *pflag.FlagSet, file, system string) (command []string, dir string) {
	command, dir = own("run", "--name="+system)
	if command == nil {
		return nil, ""
	}
	flags.Visit(func(f *pflag.Flag) {
		if list, many := f.Value.(pflag.SliceValue); many {
			for _, v := range list.GetSlice() {
				command = append(command, "--"+f.Name+"="+v)
			}
		} else if f.Name != "name" && !slices.Contains(onceOnly, f.Name) {
			command = append(command, "--"+f.Name+"="+f.Value.String())
		}
	})
	return append(command, "--", file), dir
}

// upAgain returns the command that starts a whole system again of which this is a process.
func upAgain(sys *system.System) (command []string, dir string) {
	command, dir = own("up")
	if command == nil {
		return nil, ""
	}
	o := sys.Options()
	for _, over := range o.Overlays {
		command = append(command, "--overlay="+absolute(over))
	}
	for _, p := range o.Params {
		command = append(command, "--param="+p)
	}
	return append(command, "--", absolute(sys.Path)), dir
}

// absolute returns a path that stays right in other folders.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// own returns the beginning of a command of the program that is running, and the folder that it is in.
func own(words ...string) (command []string, dir string) {
	program, err := os.Executable()
	if err != nil {
		return nil, ""
	}
	if dir, err = os.Getwd(); err != nil {
		return nil, ""
	}
	return append([]string{program}, words...), dir
}
