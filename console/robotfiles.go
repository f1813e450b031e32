package console

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

// maxMesh is how many bytes a file has that is served to pages.
const maxMesh = 256 << 20

// robotAddress is where a file of a robot is: /robot/SYSTEM/BLOCK/robot.urdf or /robot/SYSTEM/BLOCK/mesh/NUMBER/NAME.
func robotAddress(words ...string) string {
	address := "/robot"
	for _, w := range words {
		address += "/" + url.PathEscape(w)
	}
	return address
}

// robotURDF serves the description that a block reads, xacro expanded, with meshes at addresses of this server.
func (s *Server) robotURDF(w http.ResponseWriter, r *http.Request) {
	robot, err := s.robotOf(r.Context(), r.PathValue("system"), r.PathValue("block"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	_, _ = w.Write(robot.urdf)
}

// companions are the kinds of files that lie beside a mesh and belong to it: its materials and textures.
var companions = []string{".mtl", ".png", ".jpg", ".jpeg", ".tga", ".bin"}

// robotMesh serves a mesh that a description names, or a file in its folder that belongs to it. No other file can be named.
func (s *Server) robotMesh(w http.ResponseWriter, r *http.Request) {
	robot, err := s.robotOf(r.Context(), r.PathValue("system"), r.PathValue("block"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	n, err := strconv.Atoi(r.PathValue("number"))
	if err != nil || n < 0 || n >= len(robot.files) {
		http.NotFound(w, r)
		return
	}
	f := robot.files[n]
	name := r.PathValue("file")
	if f.err == nil && name != path.Base(f.path) {
		if !fs.ValidPath(name) || !slices.Contains(companions, strings.ToLower(path.Ext(name))) {
			http.NotFound(w, r)
			return
		}
		f.path = path.Join(path.Dir(f.path), name)
	}
	if err := f.serve(w, r); err != nil {
		s.missing(r.PathValue("system"), r.PathValue("block"), name, err)
		http.NotFound(w, r)
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
		return errors.New("it is no file, or too large")
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

// missing tells once that a mesh cannot be shown: a box stands in for it.
func (s *Server) missing(system, block, name string, err error) {
	if _, told := s.told.LoadOrStore(system+"\x00"+block+"\x00"+name, true); told {
		return
	}
	s.log.Warn("console: a mesh is missing, a box stands in", "system", system, "block", block, "mesh", name, "error", err)
	s.publish(Event{System: system, Kind: "log", Level: "warn", Text: block + ": mesh " + name + " is missing, a box stands in: " + err.Error()})
}
