package arch

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Lengths of a Go file in lines.
const (
	WarnLines = 500
	MaxLines  = 800
)

// Sizes of a package without tests and generated files.
const (
	MaxPackageFiles = 45
	MaxPackageLines = 5000
)

// Rules that compare the sources with the page. Each returns one line for each violation, sorted as found.

// CheckTable reports rows that allow packages not above them, and packages with two rows.
func CheckTable(rows []Row) (violations []string) {
	first := map[string]int{}
	for i, row := range rows {
		if line, twice := first[row.Package]; twice {
			violations = append(violations, fmt.Sprintf("ARCHITECTURE.md:%d: %s has a row already, in line %d", row.Line, row.Package, line))
		}
		first[row.Package] = row.Line
		for _, entry := range row.Imports {
			if _, err := resolve(rows, i, entry); err != nil {
				violations = append(violations, fmt.Sprintf("ARCHITECTURE.md:%d: %s may import %s: %v", row.Line, row.Package, entry, err))
			}
		}
	}
	return violations
}

// CheckRows reports packages without a row, rows without a package, and planned packages that exist.
func CheckRows(rows, planned []Row, files []File) (violations []string) {
	used := make([]bool, len(rows))
	for _, pkg := range packages(files) {
		if i := find(rows, pkg); i >= 0 {
			used[i] = true
		} else if i := find(planned, pkg); i >= 0 {
			violations = append(violations, fmt.Sprintf("ARCHITECTURE.md:%d: %s is planned but exists: move its row to the table of packages", planned[i].Line, pkg))
		} else {
			violations = append(violations, fmt.Sprintf("package %s has no row in ARCHITECTURE.md: add it below all that it imports", pkg))
		}
	}
	for i, row := range rows {
		if !used[i] {
			violations = append(violations, fmt.Sprintf("ARCHITECTURE.md:%d: row %s has no package: write it or move the row to the planned ones", row.Line, row.Package))
		}
	}
	return violations
}

// CheckImports reports imports within the module that the row of the package does not list.
func CheckImports(module string, rows []Row, files []File) (violations []string) {
	for _, file := range files {
		from := find(rows, file.Package())
		if from < 0 || file.Test {
			continue
		}
		for _, imported := range file.Imports {
			pkg, inside := strings.CutPrefix(imported.Path, module+"/")
			if !inside || mayImport(rows, from, pkg) {
				continue
			}
			violations = append(violations, fmt.Sprintf("%s:%d: %s may not import %s (ARCHITECTURE.md:%d lists: %s)",
				file.Path, imported.Line, file.Package(), pkg, rows[from].Line, listing(rows[from].Imports)))
		}
	}
	return violations
}

func mayImport(rows []Row, from int, pkg string) bool {
	to := find(rows, pkg)
	if to == from {
		return strings.HasSuffix(rows[from].Package, "/…")
	}
	for _, entry := range rows[from].Imports {
		if allowed, err := resolve(rows, from, entry); err == nil && slices.Contains(allowed, to) {
			return true
		}
	}
	return false
}

// CheckIO reports imports that touch the world outside the process in packages that have no row in the table of those
// that may.
func CheckIO(rows []Row, files []File) (violations []string) {
	for _, file := range files {
		if file.Test || find(rows, file.Package()) >= 0 {
			continue
		}
		for _, imported := range file.Imports {
			if touchesWorld(imported.Path) {
				violations = append(violations, fmt.Sprintf("%s:%d: %s may not import %q: it is not among the packages that do input and output",
					file.Path, imported.Line, file.Package(), imported.Path))
			}
		}
	}
	return violations
}

// touchesWorld reports whether a package reaches the operating system rather than only computing.
func touchesWorld(path string) bool {
	switch path {
	case "net/netip", "net/url", "net/mail", "net/textproto", "golang.org/x/sys/cpu": // pure calculation
		return false
	case "os", "net", "syscall", "plugin", "io/ioutil", "log/syslog":
		return true
	}
	for _, tree := range []string{"os/", "net/", "golang.org/x/sys/", "golang.org/x/net/"} {
		if strings.HasPrefix(path, tree) {
			return true
		}
	}
	return false
}

// CheckGoroutines reports goroutines in robot/…, whose calls leave none behind, and functions of the other wings that start one
// and are not named in the section "Goroutines" of their package's doc. Packages for tests, programs, examples and measurements
// need no table.
func CheckGoroutines(files []File) (violations []string) {
	tables := map[string]string{}
	for _, file := range files {
		if !file.Test {
			tables[file.Package()] += file.Table
		}
	}
	for _, file := range files {
		wing, _, _ := strings.Cut(file.Path, "/")
		switch {
		case file.Test || len(file.Go) == 0:
		case wing == "robot":
			for _, start := range file.Go {
				violations = append(violations, fmt.Sprintf("%s:%d: goroutine in robot/", file.Path, start.Line))
			}
		case needsTable(wing, file.Package()):
			for _, start := range file.Go {
				if !slices.Contains(strings.FieldsFunc(tables[file.Package()], notInName), start.Func) {
					violations = append(violations, fmt.Sprintf("%s:%d: %s starts a goroutine: name it in the section \"# Goroutines\" of the doc of package %s",
						file.Path, start.Line, start.Func, file.Package()))
				}
			}
		}
	}
	return violations
}

// notInName reports whether a character separates names.
func notInName(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func needsTable(wing, pkg string) bool {
	forTests := strings.HasPrefix(pkg, "internal/testkit") || strings.HasSuffix(pkg, "test")
	return slices.Contains([]string{"internal", "net", "device", "parts", "console", "cli"}, wing) && !forTests
}

// CheckInit reports func init, because registration is explicit and packages have no state of their own.
func CheckInit(files []File) (violations []string) {
	for _, file := range files {
		for _, line := range file.Init {
			violations = append(violations, fmt.Sprintf("%s:%d: func init: register and set up explicitly", file.Path, line))
		}
	}
	return violations
}

// CheckLengths reports files above MaxLines, and warns of those above WarnLines. Generated files are exempt.
func CheckLengths(files []File) (violations, warnings []string) {
	for _, file := range files {
		switch {
		case file.Generated || file.Lines <= WarnLines:
		case file.Lines > MaxLines:
			violations = append(violations, fmt.Sprintf("%s has %d lines, at most %d are allowed: divide it by topic", file.Path, file.Lines, MaxLines))
		default:
			warnings = append(warnings, fmt.Sprintf("%s has %d lines: from %d on ask why", file.Path, file.Lines, WarnLines))
		}
	}
	return violations, warnings
}

// CheckSizes reports packages above MaxPackageFiles or MaxPackageLines. Tests and generated files do not count.
func CheckSizes(files []File) (violations []string) {
	count, lines := map[string]int{}, map[string]int{}
	for _, file := range files {
		if !file.Test && !file.Generated {
			count[file.Package()]++
			lines[file.Package()] += file.Lines
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(count)) {
		if count[pkg] > MaxPackageFiles || lines[pkg] > MaxPackageLines {
			violations = append(violations, fmt.Sprintf("package %s has %d files with %d lines, at most %d with %d are allowed: divide it where a reader would",
				pkg, count[pkg], lines[pkg], MaxPackageFiles, MaxPackageLines))
		}
	}
	return violations
}

// packages returns the packages that hold a file besides tests, sorted.
func packages(files []File) []string {
	set := map[string]bool{}
	for _, file := range files {
		if !file.Test {
			set[file.Package()] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

func listing(entries []string) string {
	if len(entries) == 0 {
		return "nothing"
	}
	return strings.Join(entries, ", ")
}
