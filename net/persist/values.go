package persist

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/durable"
	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/net/port"
)

// MaxBytes is the largest file that [Read] accepts.
const MaxBytes = 64 << 20

// Values are what the blocks of one process of a system have left.
type Values struct {
	System  string                          `json:"system"`         // SYSTEM or SYSTEM.PROCESS
	File    string                          `json:"file,omitempty"` // the system's file, absolute; "": it was made by a program
	Written time.Time                       `json:"written"`
	Blocks  map[string]map[string]port.Kept `json:"blocks"` // by block and name
}

const suffix = ".json"

// state returns the user's folder for state, which may not exist.
func state() (string, error) {
	if set := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(set) {
		return set, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the folder for values that outlive a run: %w; or set XDG_STATE_HOME", err)
	}
	return filepath.Join(home, ".local", "state"), nil
}

// Folder returns the folder of this user's kept values, which may not exist.
func Folder() (string, error) {
	state, err := state()
	return filepath.Join(state, "sinew", "kept"), err
}

// makeFolder creates the folder of kept values if it is missing, and checks it.
func makeFolder() error {
	state, err := state()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(state, 0o700); err != nil {
		return fmt.Errorf("make the folder for values that outlive a run: %w; or name another with XDG_STATE_HOME", err)
	}
	_, err = private.Below(state, "sinew", "kept")
	return err
}

// Path returns the file of a system, or of SYSTEM.PROCESS.
func Path(name string) (string, error) {
	if name == "" || !filepath.IsLocal(name) || filepath.Base(name) != name {
		return "", fmt.Errorf("%q is not the name of a system", name)
	}
	folder, err := Folder()
	return filepath.Join(folder, name+suffix), err
}

// Read returns what was kept under a name; nil where there is nothing. The error of a damaged file names it.
func Read(name string) (*Values, error) {
	path, err := Path(name)
	if err != nil {
		return nil, err
	}
	file, err := private.Open(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the kept values of %q: %w", name, err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read the kept values of %q: %w", name, err)
	}
	v, err := Parse(text)
	if err == nil && v.System != name {
		err = fmt.Errorf("it belongs to %q", v.System)
	}
	if err != nil {
		return nil, fmt.Errorf("read the kept values of %q: %s is damaged: %w; sinew param forget %s removes it, and the system begins with the values of its files",
			name, path, err, systemOf(name))
	}
	return v, nil
}

// Parse reads the text of a file of kept values. Numbers stay as they were written, as a json.Number.
func Parse(text []byte) (*Values, error) {
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("it has more than %d bytes", MaxBytes)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	d.DisallowUnknownFields()
	v := &Values{}
	if err := d.Decode(v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more follows after its end")
	}
	switch {
	case v.System == "":
		return nil, errors.New("it names no system")
	case v.Blocks == nil:
		return nil, errors.New("it has no blocks")
	}
	for block, values := range v.Blocks {
		for name, kept := range values {
			if kept.Type == "" || kept.Value == nil {
				return nil, fmt.Errorf("%s.%s has no type or no value", block, name)
			}
		}
	}
	return v, nil
}

// Text returns the values as [Parse] reads them.
func (v *Values) Text() ([]byte, error) {
	text, err := json.MarshalIndent(v, "", "  ")
	return append(text, '\n'), err
}

// Write replaces the file of the values' system.
func (v *Values) Write() error {
	path, err := Path(v.System)
	if err != nil {
		return err
	}
	text, err := v.Text()
	if err == nil {
		err = makeFolder()
	}
	if err != nil {
		return err
	}
	return durable.WriteFile(path, text, 0o600)
}

// Fits returns an error if the values belong to another system of the same name: to a file that is still there. A file that has moved
// may take them up, and so may a new version of a system that was copied to this host.
func (v *Values) Fits(file string) error {
	if v.File == file || copyOf(v.File, v.System) != "" && copyOf(v.File, v.System) == copyOf(file, v.System) {
		return nil
	}
	if v.File != "" {
		if _, err := os.Stat(v.File); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	former, now := v.File, file
	if former == "" {
		former = "a program"
	}
	if now == "" {
		now = "a program"
	}
	return fmt.Errorf("the values kept under the name %q belong to %s, and this system is %s: run it under another --name, or remove them with sinew param forget %s",
		v.System, former, now, systemOf(v.System))
}

// copyOf returns the path of a file within the copy of a system that sinew up brought to this host, where each version has a folder of
// its own; "" for other files.
func copyOf(file, name string) string {
	_, below, ok := strings.Cut(filepath.ToSlash(file), "/.cache/sinew/files/"+systemOf(name)+"/")
	if !ok {
		return ""
	}
	_, path, _ := strings.Cut(below, "/")
	return path
}

func systemOf(name string) string {
	system, _, _ := strings.Cut(name, ".")
	return system
}
