package files

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// A user's own widgets are ES modules in a folder beside the system file: widgets/NAME.js. They run in the page with all
// rights of its person, as a program that can write there can write the system file.
const (
	widgetFolder = "widgets"
	widgetSuffix = ".js"
	maxWidget    = 1 << 20 // bytes
)

// Widgets returns the names of a system's widgets, sorted. Their modules are at /widget/SYSTEM/NAME.js.
func (f *Files) Widgets(ctx context.Context, system string) ([]string, error) {
	dir, err := f.Folder(ctx, system, widgetFolder)
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

// Register adds the modules of widgets to an HTTP server.
func (f *Files) Register(mux *http.ServeMux) {
	mux.HandleFunc("GET /widget/{system}/{file}", f.serveWidget)
}

// serveWidget serves the module of a widget.
func (f *Files) serveWidget(w http.ResponseWriter, r *http.Request) {
	file := r.PathValue("file")
	if checkFileName(file) != nil || filepath.Ext(file) != widgetSuffix {
		http.NotFound(w, r)
		return
	}
	path, err := f.Folder(r.Context(), r.PathValue("system"), widgetFolder, file)
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
