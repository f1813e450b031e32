package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sinew-robotics/sinew/internal/durable"
	"github.com/sinew-robotics/sinew/internal/yamlfault"
)

// Panels are files in a folder beside the system file: panels/NAME.yaml.
const (
	panelFolder = "panels"
	panelSuffix = ".yaml"
	maxPanel    = 256 << 10 // bytes
	maxPanels   = 1000
)

// Panels returns the names of a system's panels, sorted. A folder that does not exist has none; one that cannot be read is an
// error.
func (f *Files) Panels(ctx context.Context, system string) ([]string, error) {
	dir, err := f.Folder(ctx, system, panelFolder)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list the panels: %w", err)
	}
	names := []string{}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), panelSuffix); ok && e.Type().IsRegular() && checkFileName(name) == nil {
			names = append(names, name)
		}
	}
	return names, nil
}

// PanelRequest names a panel of a system, and holds its new content.
type PanelRequest struct {
	System  string          `json:"system"`
	Name    string          `json:"name"`
	Panel   json.RawMessage `json:"panel"`   // a JSON object
	YAML    string          `json:"yaml"`    // the text of its file, in the place of panel: it is written as it is
	Version string          `json:"version"` // of the file that was edited, "absent" where there was none; "": any
}

// PanelReply is a panel.
type PanelReply struct {
	YAML    string `json:"yaml"`  // the text of its file
	Panel   any    `json:"panel"` // the same as JSON
	Version string `json:"version"`
}

// PanelVersion is the version of a panel that was written.
type PanelVersion struct {
	Version string `json:"version"`
}

func (f *Files) panelPath(ctx context.Context, q PanelRequest) (string, error) {
	if err := checkFileName(q.Name); err != nil {
		return "", fmt.Errorf("panel: %w", err)
	}
	return f.Folder(ctx, q.System, panelFolder, q.Name+panelSuffix)
}

// Panel returns a panel as it is in its file and as JSON. It fails if there is no such panel or the file cannot be read.
func (f *Files) Panel(ctx context.Context, q PanelRequest) (*PanelReply, error) {
	path, err := f.panelPath(ctx, q)
	if err != nil {
		return nil, err
	}
	text, err := readLimited(path, maxPanel)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no panel %q", q.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("read panel %q: %w", q.Name, err)
	}
	var panel any
	if err := yamlfault.Read("", withoutMark(text), &panel); err != nil {
		return nil, fmt.Errorf("read panel %q: %w", q.Name, err)
	}
	return &PanelReply{string(withoutMark(text)), jsonOf(panel, 0), durable.Version(text)}, nil
}

// PutPanel writes a panel. A new one needs the role own. It fails for a text that is no panel or too large, above the greatest
// number of panels, and if the file has changed since the version that was edited.
func (f *Files) PutPanel(ctx context.Context, r Caller, q PanelRequest) (*PanelVersion, error) {
	r.Changed(q.System, "%s", q.Name)
	path, err := f.panelPath(ctx, q)
	if err != nil {
		return nil, err
	}
	text, err := q.text()
	switch {
	case err != nil:
		return nil, fmt.Errorf("panel %q: %w", q.Name, err)
	case len(text) > maxPanel:
		return nil, fmt.Errorf("panel %q has %d bytes; limit: %d bytes", q.Name, len(text), maxPanel)
	}
	if err := needForFile(r, fmt.Sprintf("write panel %q", q.Name), path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("write panel %q: %w", q.Name, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err == nil && len(entries) > maxPanels {
		return nil, fmt.Errorf("write panel %q: limit: %d panels", q.Name, maxPanels)
	}
	err = durable.Update(ctx, durable.Edit{Path: path, Was: q.Version, Text: text})
	if errors.Is(err, durable.ErrChanged) {
		return nil, changedMeanwhile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("write panel %q: %w", q.Name, err)
	}
	return &PanelVersion{durable.Version(text)}, nil
}

// text returns the text of the panel's file.
func (q PanelRequest) text() ([]byte, error) {
	switch {
	case q.YAML == "":
		return yamlOf(q.Panel)
	case q.Panel != nil:
		return nil, errors.New("expected either panel or yaml, not both")
	}
	var panel map[string]any
	if err := yamlfault.Read("", []byte(q.YAML), &panel); err != nil {
		return nil, err
	}
	return []byte(q.YAML), nil
}

// RemovePanel deletes a panel. It fails if there is no such panel.
func (f *Files) RemovePanel(ctx context.Context, r Caller, q PanelRequest) error {
	r.Changed(q.System, "%s", q.Name)
	path, err := f.panelPath(ctx, q)
	if err != nil {
		return err
	}
	if err := durable.Remove(ctx, path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no panel %q", q.Name)
	} else if err != nil {
		return fmt.Errorf("remove panel %q: %w", q.Name, err)
	}
	return nil
}

// readLimited reads a regular file of at most a number of bytes.
func readLimited(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case info.Size() > most:
		return nil, fmt.Errorf("%d bytes; limit: %d bytes", info.Size(), most)
	}
	return os.ReadFile(path)
}
