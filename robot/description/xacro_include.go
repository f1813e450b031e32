package description

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// include expands another file in the place of the element; with ns its definitions are kept under that name.
func (x *expander) include(e *element, owner *element, in *scope) []node {
	uri := x.required(e, "filename", in)
	if uri == "" {
		return nil
	}
	optional := e.optional("optional") == "true" || e.optional("optional") == "True"
	fsys, name, err := x.source.resources.Find(uri)
	if err != nil {
		if !optional {
			x.addf(e.pos, "%v", err)
		}
		return nil
	}
	files := []string{name}
	if strings.ContainsAny(name, "*?[") {
		if files, err = fs.Glob(fsys, name); err != nil {
			x.addf(e.pos, "%q is no pattern: %v", uri, err)
			return nil
		}
		slices.Sort(files)
	} else if _, err := fs.Stat(fsys, name); err != nil {
		if !optional {
			x.addf(e.pos, "cannot include %q: %v", uri, err)
		}
		return nil
	}
	if ns := e.optional("ns"); ns != "" {
		space := newScope(in)
		in.spaces[format(x.text(ns, e.pos, in))] = space
		in = space
	}
	var out []node
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

func (x *expander) includeFile(e *element, fsys fs.FS, file, base string, owner *element, in *scope) []node {
	if !x.deeper(e.pos) || !x.visit(e.pos) {
		return nil
	}
	defer x.shallower()
	shown := file
	if base != "" {
		shown = base + "/" + file
	}
	root := readXML(fsys, file, shown, x.report)
	if root == nil {
		x.addf(e.pos, "%s is included here", path.Base(file))
		return nil
	}
	x.visited += fileCost + size(root.content)
	outer := x.source
	defer func() { x.source = outer }()
	x.source = source{Resources{FS: fsys, Path: file, Packages: outer.resources.Packages}, base}
	// The namespaces that the included file declares may be needed around what it leaves.
	for _, a := range root.attrs {
		if _, there := owner.attr(a.name); strings.HasPrefix(a.name, "xmlns:") && a.name != "xmlns:xacro" && !there {
			owner.attrs = append(owner.attrs, a)
		}
	}
	return x.content(root.content, owner, in)
}
