package robots

import (
	"errors"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxMesh is the largest file, in bytes, that is served to pages.
const maxMesh = 256 << 20

// address returns the path of a robot's file on this server: /robot/SYSTEM/BLOCK/robot.urdf or /robot/SYSTEM/BLOCK/mesh/NUMBER/NAME.
func address(words ...string) string {
	path := "/robot"
	for _, w := range words {
		path += "/" + url.PathEscape(w)
	}
	return path
}

// Register adds the robots' files to an HTTP server: /robot/SYSTEM/BLOCK/robot.urdf, /robot/SYSTEM/BLOCK/mesh/NUMBER/NAME, and
// /robot/SYSTEM/BLOCK/shape/BODY/PART.stl or .points, the shapes of its world.
func (r *Robots) Register(mux *http.ServeMux) {
	mux.HandleFunc("GET /robot/{system}/{block}/robot.urdf", r.serveURDF)
	mux.HandleFunc("GET /robot/{system}/{block}/mesh/{number}/{file...}", r.serveMesh)
	mux.HandleFunc("GET /robot/{system}/{block}/shape/{body}/{part}", r.serveShape)
}

// serveURDF serves the description that a block reads, xacro expanded, with meshes at addresses of this server.
func (r *Robots) serveURDF(w http.ResponseWriter, q *http.Request) {
	robot, err := r.find(q.Context(), q.PathValue("system"), q.PathValue("block"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	_, _ = w.Write(robot.urdf)
}

// companions are the kinds of files that lie beside a mesh and belong to it: its materials and textures.
var companions = []string{".mtl", ".png", ".jpg", ".jpeg", ".tga", ".bin"}

// serveMesh serves a mesh that a description names, or a file in its folder that belongs to it. No other file can be named.
func (r *Robots) serveMesh(w http.ResponseWriter, q *http.Request) {
	robot, err := r.find(q.Context(), q.PathValue("system"), q.PathValue("block"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	n, err := strconv.Atoi(q.PathValue("number"))
	if err != nil || n < 0 || n >= len(robot.files) {
		http.NotFound(w, q)
		return
	}
	f := robot.files[n]
	name := q.PathValue("file")
	if f.err == nil && name != path.Base(f.path) {
		if !fs.ValidPath(name) || !slices.Contains(companions, strings.ToLower(path.Ext(name))) {
			http.NotFound(w, q)
			return
		}
		f.path = path.Join(path.Dir(f.path), name)
	}
	if err := f.serve(w, q); err != nil {
		r.missing(q.PathValue("system"), q.PathValue("block"), name, err)
		http.NotFound(w, q)
	}
}

// serve sends the file.
func (f meshFile) serve(w http.ResponseWriter, r *http.Request) error {
	if f.err != nil {
		return f.err
	}
	file, err := f.fs.Open(f.path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular() || info.Size() > maxMesh:
		return errors.New("not a regular file, or too large")
	}
	kind := mime.TypeByExtension(path.Ext(f.path))
	if kind == "" || strings.HasPrefix(kind, "text/html") {
		kind = "application/octet-stream"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "private, no-cache")
	seeker, ok := file.(io.ReadSeeker)
	if !ok {
		_, err = io.Copy(w, file)
		return err
	}
	http.ServeContent(w, r, "", info.ModTime().Truncate(time.Second), seeker)
	return nil
}

// missing warns once that a mesh cannot be loaded: a box is shown in its place.
func (r *Robots) missing(system, block, name string, err error) {
	key := system + "\x00" + block + "\x00" + name
	r.mu.Lock()
	warned := r.warned[key]
	r.warned[key] = true
	r.mu.Unlock()
	if warned {
		return
	}
	r.options.Log.Warn("console: a mesh is missing, a box stands in", "system", system, "block", block, "mesh", name, "error", err)
	r.options.Warn(system, block+": mesh "+name+" is missing, a box stands in: "+err.Error())
}
