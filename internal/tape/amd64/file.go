package amd64

import (
	"slices"
	"strings"
)

// Text returns an assembly file of these functions. The header is a comment without its slashes.
func Text(header string, functions ...Function) []byte {
	var b strings.Builder
	b.WriteString("// " + header + "\n\n#include \"textflag.h\"\n")
	for _, f := range functions {
		b.WriteString("\n" + f.Text)
	}
	return []byte(b.String())
}

// Stubs returns a Go file of package name that declares these functions. It imports unsafe if one of them is a loop over records.
func Stubs(header, name string, functions ...Function) []byte {
	var b strings.Builder
	b.WriteString("// " + header + "\n\npackage " + name + "\n")
	if slices.ContainsFunc(functions, func(f Function) bool { return strings.Contains(f.Stub, "unsafe.") }) {
		b.WriteString("\nimport \"unsafe\"\n")
	}
	for _, f := range functions {
		b.WriteString("\n" + f.Stub)
	}
	return []byte(b.String())
}
