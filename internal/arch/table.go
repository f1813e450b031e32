package arch

import (
	"fmt"
	"slices"
	"strings"
)

// Row is a row of a table of packages.
type Row struct {
	Package string   // path below the module; may end in "/…" (all packages under it) or "/<name>" (each one directly under it)
	Imports []string // entries of the third column as written, without quotes
	Line    int      // in the page
}

// everything is the entry that allows all rows above.
const everything = "everything above it"

// ParseTable returns the rows of the first table under a heading, whose first column names packages and whose third, if
// there is one, lists what they may import. Rows whose first cell is bold or empty only divide the table.
func ParseTable(page, heading string) ([]Row, error) {
	lines := strings.Split(page, "\n")
	start := slices.Index(lines, "## "+heading)
	if start < 0 {
		return nil, fmt.Errorf("no heading %q", "## "+heading)
	}
	var rows []Row
	inTable := false
	for i := start + 1; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if strings.HasPrefix(line, "## ") || inTable && !strings.HasPrefix(line, "|") {
			break
		}
		if !strings.HasPrefix(line, "|") {
			continue
		}
		inTable = true
		cells := strings.Split(strings.Trim(line, "|"), "|")
		name := strings.TrimSpace(cells[0])
		if !strings.HasPrefix(name, "`") { // head of the table, ruler, divider
			continue
		}
		row := Row{Package: strings.Trim(name, "`"), Line: i + 1}
		if len(cells) > 2 {
			row.Imports = entries(cells[2])
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("no table under %q", "## "+heading)
	}
	return rows, nil
}

func entries(cell string) (list []string) {
	for entry := range strings.SplitSeq(cell, ",") {
		entry = strings.Trim(strings.TrimSpace(entry), "`")
		if entry != "" && entry != "–" {
			list = append(list, entry)
		}
	}
	return list
}

// Covers reports whether a package belongs to the row.
func (r Row) Covers(pkg string) bool {
	if under, ok := strings.CutSuffix(r.Package, "/…"); ok {
		return pkg == under || strings.HasPrefix(pkg, under+"/")
	}
	if parent, last, ok := cutLast(r.Package); ok && strings.HasPrefix(last, "<") {
		above, _, ok := cutLast(pkg)
		return ok && above == parent
	}
	return pkg == r.Package
}

// find returns the index of the row of a package: the row of its own name, or else the first that covers it; or -1.
func find(rows []Row, pkg string) int {
	if i := slices.IndexFunc(rows, func(r Row) bool { return r.Package == pkg }); i >= 0 {
		return i
	}
	return slices.IndexFunc(rows, func(r Row) bool { return r.Covers(pkg) })
}

// resolve turns an entry of row i into the indices of the rows that it allows.
func resolve(rows []Row, i int, entry string) (allowed []int, err error) {
	if entry == everything {
		for j := range i {
			allowed = append(allowed, j)
		}
		return allowed, nil
	}
	if under, ok := strings.CutSuffix(entry, "/…"); ok {
		for j := range i {
			if strings.HasPrefix(rows[j].Package+"/", under+"/") {
				allowed = append(allowed, j)
			}
		}
		if allowed == nil {
			return nil, fmt.Errorf("no row above lies under %q", under)
		}
		return allowed, nil
	}
	wing, _, _ := strings.Cut(rows[i].Package, "/")
	for _, name := range []string{entry, wing + "/" + entry} {
		j := slices.IndexFunc(rows, func(r Row) bool { return r.Package == name })
		if j >= i {
			return nil, fmt.Errorf("%q is not above this row", entry)
		}
		if j >= 0 {
			return []int{j}, nil
		}
	}
	return nil, fmt.Errorf("no row is named %q", entry)
}

func cutLast(path string) (parent, last string, ok bool) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path, false
	}
	return path[:i], path[i+1:], true
}
