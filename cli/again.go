package cli

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"
)

// onceOnly are the flags of run that count for one run: another one has its own length, and no core to take up.
var onceOnly = []string{"for", "resume"}

// again returns the command that runs a system again as it is run now, and the folder in which it was given; none where that
// cannot be told.
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
func (f *runFlags) upAgain(file string) (command []string, dir string) {
	command, dir = own("up")
	if command == nil {
		return nil, ""
	}
	for _, over := range f.overlays {
		if abs, err := filepath.Abs(over); err == nil {
			over = abs
		}
		command = append(command, "--overlay="+over)
	}
	for _, p := range f.params {
		command = append(command, "--param="+p)
	}
	return append(command, "--", file), dir
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
