package catalog

import (
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"

	"github.com/sinew-robotics/sinew/net/block"
)

// about returns the doc comment of a block type as written in the sources that its package embeds; "" if there is none.
func about(e block.Entry) string {
	if e.Sources == nil {
		return ""
	}
	_, name, _ := strings.Cut(e.Type, ".")
	files, err := fs.Glob(e.Sources, "*.go")
	if err != nil {
		return ""
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(e.Sources, file)
		if err != nil || !strings.Contains(string(text), "type "+name+" struct") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range tree.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, s := range g.Specs {
				if t := s.(*ast.TypeSpec); t.Name.Name == name {
					return strings.TrimSpace(g.Doc.Text())
				}
			}
		}
	}
	return ""
}

// parse reads a doc comment; names in brackets lead nowhere.
func parse(text string) *comment.Doc {
	p := comment.Parser{
		LookupPackage: func(name string) (string, bool) { return name, true },
		LookupSym:     func(string, string) bool { return true },
	}
	return p.Parse(text)
}

// printer writes comments without links.
func printer() *comment.Printer {
	return &comment.Printer{DocLinkURL: func(*comment.DocLink) string { return "" }, TextWidth: 100}
}
