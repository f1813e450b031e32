package arch

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// File holds the properties of a Go file that the rules check.
type File struct {
	Path      string // below the module
	Lines     int
	Test      bool
	Generated bool
	Imports   []Import
	Go        []Start // goroutines which outlive their function, as far as syntax shows it
	Table     string  // section "Goroutines" of the package's doc in this file
	Init      []int   // lines of func init
}

// Start is the place where a goroutine starts.
type Start struct {
	Func string // the function or method around it, without its receiver
	Line int
}

// Import is an import of a File.
type Import struct {
	Path string
	Line int
}

// Package returns the package's path below the module.
func (f File) Package() string { return path.Dir(f.Path) }

// Scan parses all Go files of the module whose root is fsys, for every system. It skips what the go command ignores
// (testdata, names with a leading dot or underscore, files tagged ignore) and nested modules.
func Scan(fsys fs.FS) ([]File, error) {
	var files []File
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		hidden := name != "." && (base[0] == '.' || base[0] == '_')
		if entry.IsDir() {
			if hidden || base == "testdata" || base == "vendor" || base == "node_modules" || name != "." && holdsModule(fsys, name) {
				return fs.SkipDir
			}
			return nil
		}
		if hidden || !strings.HasSuffix(base, ".go") {
			return nil
		}
		source, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		file, ignored, err := scanFile(name, source)
		if err == nil && !ignored {
			files = append(files, file)
		}
		return err
	})
	return files, err
}

func scanFile(name string, source []byte) (file File, ignored bool, err error) {
	positions := token.NewFileSet()
	tree, err := parser.ParseFile(positions, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return File{}, false, err
	}
	if taggedIgnore(tree) {
		return File{}, true, nil
	}
	line := func(node ast.Node) int { return positions.Position(node.Pos()).Line }
	file = File{
		Path:      name,
		Lines:     bytes.Count(source, []byte{'\n'}),
		Test:      strings.HasSuffix(name, "_test.go"),
		Generated: ast.IsGenerated(tree),
	}
	for _, spec := range tree.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return File{}, false, fmt.Errorf("%s:%d: %w", name, line(spec), err)
		}
		file.Imports = append(file.Imports, Import{Path: imported, Line: line(spec)})
	}
	if tree.Doc != nil {
		_, table, _ := strings.Cut(tree.Doc.Text(), "\n# Goroutines\n")
		file.Table, _, _ = strings.Cut(table, "\n# ")
	}
	groups := slices.ContainsFunc(file.Imports, func(i Import) bool { return i.Path == "sync" })
	for _, declaration := range tree.Decls {
		name := ""
		if f, ok := declaration.(*ast.FuncDecl); ok {
			if name = f.Name.Name; f.Recv == nil && name == "init" {
				file.Init = append(file.Init, line(f))
			}
		}
		ast.Inspect(declaration, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.GoStmt:
				file.Go = append(file.Go, Start{name, line(node)})
			case *ast.CallExpr:
				if startsInField(node, groups) {
					file.Go = append(file.Go, Start{name, line(node)})
				}
			}
			return true
		})
	}
	return file, false, nil
}

// startsInField reports whether the call is x.group.Go(f), on a group of goroutines in a field: a sync.WaitGroup, or a type of
// another package that takes a function literal. A function waits for a group in a variable.
func startsInField(call *ast.CallExpr, groups bool) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != "Go" || len(call.Args) != 1 {
		return false
	}
	_, field := f.X.(*ast.SelectorExpr)
	_, literal := call.Args[0].(*ast.FuncLit)
	return field && (groups || literal)
}

func taggedIgnore(tree *ast.File) bool {
	for _, group := range tree.Comments {
		if group.Pos() > tree.Package {
			return false
		}
		for _, comment := range group.List {
			if expr, err := constraint.Parse(comment.Text); err == nil && expr.String() == "ignore" {
				return true
			}
		}
	}
	return false
}

func holdsModule(fsys fs.FS, dir string) bool {
	_, err := fs.Stat(fsys, path.Join(dir, "go.mod"))
	return err == nil
}
