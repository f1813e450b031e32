package cli

import (
	"os"
	"slices"

	"github.com/spf13/pflag"
)

// onceOnly are the flags of run that count for one run: another one has its own length, and no core to take up.
var onceOnly = []string{"for", "resume"}

// again returns the command that runs a system again as it is run now, and the folder in which it was given; none where that
// cannot be told.
func again(flags *pflag.FlagSet, file, system string) (command []string, dir string) {
	program, err := os.Executable()
	if err != nil {
		return nil, ""
	}
	if dir, err = os.Getwd(); err != nil {
		return nil, ""
	}
	command = []string{program, "run", "--name=" + system}
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
