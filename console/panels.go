package console

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Panels are files in a folder beside the system file: panels/NAME.yaml.
const (
	panelFolder = "panels"
	panelSuffix = ".yaml"
	maxPanel    = 256 << 10 // bytes
	maxPanels   = 1000
)

// listPanels returns the names of a system's panels.
func (s *Server) listPanels(ctx context.Context, _ *call, a systemRequest) (any, error) {
	dir, err := s.folderOf(ctx, a.System, panelFolder)
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

type panelRequest struct {
	System string          `json:"system"`
	Name   string          `json:"name"`
	Panel  json.RawMessage `json:"panel"`
}

func (s *Server) panelPath(ctx context.Context, a panelRequest) (string, error) {
	if err := checkFileName(a.Name); err != nil {
		return "", fmt.Errorf("panel: %w", err)
	}
	return s.folderOf(ctx, a.System, panelFolder, a.Name+panelSuffix)
}

// getPanel returns a panel as it is in its file and as JSON.
func (s *Server) getPanel(ctx context.Context, _ *call, a panelRequest) (any, error) {
	path, err := s.panelPath(ctx, a)
	if err != nil {
		return nil, err
	}
	text, err := readLimited(path, maxPanel)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no panel %q", a.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("read panel %q: %w", a.Name, err)
	}
	var panel any
	if err := yaml.Unmarshal(text, &panel); err != nil {
		return nil, fmt.Errorf("read panel %q: %w", a.Name, err)
	}
	return map[string]any{"yaml": string(text), "panel": jsonOf(panel, 0)}, nil
}

// putPanel writes a panel.
func (s *Server) putPanel(ctx context.Context, c *call, a panelRequest) (any, error) {
	c.changed(a.System, "%s", a.Name)
	path, err := s.panelPath(ctx, a)
	if err != nil {
		return nil, err
	}
	text, err := yamlOf(a.Panel)
	switch {
	case err != nil:
		return nil, fmt.Errorf("panel %q: %w", a.Name, err)
	case len(text) > maxPanel:
		return nil, fmt.Errorf("panel %q has %d bytes, at most %d are possible", a.Name, len(text), maxPanel)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("write panel %q: %w", a.Name, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err == nil && len(entries) > maxPanels {
		return nil, fmt.Errorf("write panel %q: there are %d panels already", a.Name, len(entries))
	}
	if err := writeWhole(path, text); err != nil {
		return nil, fmt.Errorf("write panel %q: %w", a.Name, err)
	}
	return nil, nil
}

// removePanel deletes a panel.
func (s *Server) removePanel(ctx context.Context, c *call, a panelRequest) (any, error) {
	c.changed(a.System, "%s", a.Name)
	path, err := s.panelPath(ctx, a)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no panel %q", a.Name)
	} else if err != nil {
		return nil, fmt.Errorf("remove panel %q: %w", a.Name, err)
	}
	return nil, nil
}

// readLimited reads a regular file of at most so many bytes.
func readLimited(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no file")
	case info.Size() > most:
		return nil, fmt.Errorf("it has %d bytes, at most %d are possible", info.Size(), most)
	}
	text, err := os.ReadFile(path)
	return bytes.TrimPrefix(text, []byte("\ufeff")), err
}
