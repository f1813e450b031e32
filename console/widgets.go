package console

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// A user's own widgets are ES modules in a folder beside the system file: widgets/NAME.js. They run in the page with all
// that its person may do: whoever can write there can write the system file, too.
const (
	widgetFolder = "widgets"
	widgetSuffix = ".js"
	maxWidget    = 1 << 20 // bytes
)

// widgets returns the names of a system's widgets. Their modules are at /widget/SYSTEM/NAME.js.
func (s *Server) widgets(ctx context.Context, _ *call, a systemRequest) (any, error) {
	dir, err := s.folderOf(ctx, a.System, widgetFolder)
	if err != nil {
		return nil, err
	}
	names := []string{}
	entries, _ := os.ReadDir(dir) // none is as good as an empty one
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), widgetSuffix); ok && e.Type().IsRegular() && checkFileName(name) == nil {
			names = append(names, name)
		}
	}
	return names, nil
}

// widgetFile serves the module of a widget.
func (s *Server) widgetFile(w http.ResponseWriter, r *http.Request) {
	file := r.PathValue("file")
	if checkFileName(file) != nil || filepath.Ext(file) != widgetSuffix {
		http.NotFound(w, r)
		return
	}
	path, err := s.folderOf(r.Context(), r.PathValue("system"), widgetFolder, file)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	text, err := readLimited(path, maxWidget)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	_, _ = w.Write(text)
}
