package deploy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/durable"
	"github.com/sinew-robotics/sinew/internal/private"
)

// stoppedName is the file with the names of the processes that an operator has stopped, of all hosts that the supervisor starts. A new
// supervisor leaves them stopped. It is written before they are stopped, and goes with the system's folder.
const stoppedName = "stopped.json"

// readStopped returns the names in the file; none where there is no file. The plan has all of them.
func readStopped(folder string, plan *Plan) ([]string, error) {
	path := filepath.Join(folder, stoppedName)
	text, err := private.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	if err == nil {
		names, err = parseStopped(text, plan)
	}
	if err != nil {
		return nil, fmt.Errorf("read which processes an operator has stopped from %s: %w; remove the file to start all", path, err)
	}
	return names, nil
}

func parseStopped(text []byte, plan *Plan) (names []string, err error) {
	if err := json.Unmarshal(text, &names); err != nil {
		return nil, err
	}
	return plan.resolve(names)
}

// writeStopped replaces the file. It is on the disk when writeStopped returns.
func writeStopped(folder string, names []string) error {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	text, err := json.Marshal(names)
	if err != nil {
		return err
	}
	path := filepath.Join(folder, stoppedName)
	if err := private.Check(folder); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return durable.WriteFile(path, text, 0o600)
}

// noteStopped notes the command that starts a process again which an operator has stopped.
func (s *Status) noteStopped(plan *Plan) {
	if s.State != Stopped || plan.Origin == nil {
		return
	}
	words := append([]string{"sinew", "up", plan.Origin.File, s.Name}, plan.Origin.Options...)
	s.Note = "`" + strings.Join(words, " ") + "` starts it"
}
