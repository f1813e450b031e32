package xacro

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description/document"
)

// include expands another file in the place of the element; with ns its definitions are kept under that name.
func (x *expander) include(e *document.Element, owner *document.Element, in *scope) []document.Node {
	uri := x.required(e, "filename", in)
	if uri == "" {
		return nil
	}
	optional := e.Optional("optional") == "true" || e.Optional("optional") == "True"
	fsys, name, err := x.source.resources.Find(uri)
	if err != nil {
		if !optional {
			x.Addf(e.Pos, "%v", err)
		}
		return nil
	}
	files := []string{name}
	if strings.ContainsAny(name, "*?[") {
		if files, err = fs.Glob(fsys, name); err != nil {
			x.Addf(e.Pos, "%q is no pattern: %v", uri, err)
			return nil
		}
		slices.Sort(files)
	} else if _, err := fs.Stat(fsys, name); err != nil {
		if !optional {
			x.Addf(e.Pos, "cannot include %q: %v", uri, err)
		}
		return nil
	}
	if ns := e.Optional("ns"); ns != "" {
		space := newScope(in)
		in.spaces[format(x.text(ns, e.Pos, in))] = space
		in = space
	}
	var out []document.Node
	for _, file := range files {
		out = append(out, x.includeFile(e, fsys, file, baseOf(uri, x.source), owner, in)...)
	}
	return out
}

// baseOf returns the URI of the package in which a URI leads, as seen from the file that names it.
func baseOf(uri string, from source) string {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(uri, "file://"), "package://")
	if !ok {
		return from.base
	}
	name, _, _ := strings.Cut(rest, "/")
	if _, own := from.resources.Packages[name]; own {
		return "package://" + name
	}
	return from.base
}

func (x *expander) includeFile(e *document.Element, fsys fs.FS, file, base string, owner *document.Element, in *scope) []document.Node {
	if !x.deeper(e.Pos) || !x.visit(e.Pos) {
		return nil
	}
	defer x.shallower()
	shown := file
	if base != "" {
		shown = base + "/" + file
	}
	root := document.Read(fsys, file, shown, x.Report)
	if root == nil {
		x.Addf(e.Pos, "%s is included here", path.Base(file))
		return nil
	}
	x.visited += fileCost + size(root.Content)
	outer := x.source
	defer func() { x.source = outer }()
	x.source = source{document.Resources{FS: fsys, Path: file, Packages: outer.resources.Packages}, base}
	// The namespaces that the included file declares may be needed around what it leaves.
	for _, a := range root.Attrs {
		if _, there := owner.Attr(a.Name); strings.HasPrefix(a.Name, "xmlns:") && a.Name != "xmlns:xacro" && !there {
			owner.Attrs = append(owner.Attrs, a)
		}
	}
	return x.content(root.Content, owner, in)
}
