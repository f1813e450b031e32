package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/net/cores"
	"github.com/sinew-robotics/sinew/net/system"
)

// note is from what a core was started: a front that attaches later must build the same net. It lies beside the core's memory.
type note struct {
	Dir      string   `json:"dir"`  // the working directory
	File     string   `json:"file"` // "": the system was made from none
	Overlays []string `json:"overlays,omitempty"`
	Params   []string `json:"params,omitempty"`
	Process  string   `json:"process,omitempty"`
	System   string   `json:"system"`
}

// core returns the name of the core: that of the system, or SYSTEM.PROCESS.
func (n *note) core() string {
	if n.Process == "" {
		return n.System
	}
	return n.System + "." + n.Process
}

// writeNote notes how the core of a system is started, in a private folder.
func writeNote(name string, sys *system.System) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	o := sys.Options()
	n := note{Dir: dir, File: sys.Path, Overlays: o.Overlays, Params: o.Params, Process: o.Process, System: name}
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return private.Write(cores.Note(n.core()), text)
}

// readNote reads from what a core was started. The error names the file.
func readNote(core string) (n note, err error) {
	path := cores.Note(core)
	text, err := private.Read(path)
	if err != nil {
		return n, err
	}
	if n, err = parseNote(text, core); err != nil {
		err = fmt.Errorf("read %s: %w", path, err)
	}
	return n, err
}

// parseNote reads and checks the note of a core.
func parseNote(text []byte, core string) (n note, err error) {
	if err := json.Unmarshal(text, &n); err != nil {
		return n, err
	}
	if err := system.CheckName(n.System); err != nil {
		return n, err
	}
	switch {
	case n.core() != core:
		err = fmt.Errorf("it belongs to the core of %q", n.core())
	case !filepath.IsAbs(n.Dir):
		err = fmt.Errorf("the folder %q is not absolute", n.Dir)
	case n.File == "":
		err = errors.New("it names no system file: start the program of the system again with Options.Resume")
	}
	return n, err
}
