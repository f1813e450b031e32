package persist

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/diagram"
)

// Restore gives the blocks that are added to a diagram from now on what an earlier run has left under a name, SYSTEM or SYSTEM.PROCESS,
// and makes the run keep their values again. file is the absolute path of the system's file, "" for a program. It fails if the file of
// kept values is damaged, or belongs to another system of that name.
func Restore(d *diagram.Diagram, name, file string) error {
	path, err := Path(name)
	if err != nil { // no block may have anything to keep: a run that does reports it
		d.Restore(&diagram.Kept{File: file})
		return nil
	}
	k := &diagram.Kept{Source: path, File: file, Forget: "sinew param forget " + systemOf(name)}
	v, err := Read(name)
	if err != nil {
		return err
	}
	if v != nil {
		if err := v.Fits(file); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		k.Values, k.Written = v.Blocks, v.Written
	}
	d.Restore(k)
	return nil
}
