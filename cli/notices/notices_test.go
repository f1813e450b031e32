package notices

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

var update = flag.Bool("update", false, "rewrite the list")

// part is a third-party package.
type part struct {
	name     string
	licences []string // by SPDX identifier
	texts    []string
}

// accepted reports whether sinew may distribute a licence. Those with conditions beyond their text have a comment.
func accepted(id string) bool {
	return slices.Contains([]string{"Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "ISC", "Unlicense"}, id) ||
		id == "MPL-2.0" // its own files stay under it; we change none
}

// licencesIn recognizes licences by characteristic sentences.
func licencesIn(text string) (ids []string) {
	text = strings.Join(strings.Fields(text), " ")
	for _, l := range []struct{ id, sentence string }{
		{"Apache-2.0", `Apache License,? Version 2\.0`},
		{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy"},
		{"BSD-3-Clause", "Redistribution and use in source and binary forms.*(Neither the name|may not be used to endorse|may be used to endorse)"},
		{"BSD-2-Clause", "Redistribution and use in source and binary forms"},
		{"ISC", "Permission to use, copy, modify, and(/or)? distribute this software for any purpose"},
		{"MPL-2.0", `Mozilla Public License,? (Version|v\.) 2\.0`},
		{"Unlicense", "free and unencumbered software released into the public domain"},
		{"CC-BY", "Creative Commons"},
		{"GPL", "GNU (LESSER |AFFERO )?GENERAL PUBLIC LICENSE"},
	} {
		if l.id == "BSD-2-Clause" && slices.Contains(ids, "BSD-3-Clause") {
			continue
		}
		if regexp.MustCompile("(?i)" + l.sentence).MatchString(text) {
			ids = append(ids, l.id)
		}
	}
	return ids
}

// copyrights returns the copyright lines, without those of the licence texts themselves.
func copyrights(text string) (lines []string) {
	for line := range strings.Lines(text) {
		line = strings.Trim(line, " \t\r\n*#/")
		if !regexp.MustCompile(`^Copyright [(©\dA-Z]`).MatchString(line) || strings.ContainsAny(line, "[{") || strings.HasPrefix(line, "Copyright License") {
			continue
		}
		line = strings.TrimRight(strings.TrimSuffix(strings.ReplaceAll(line, "|", "/"), "All rights reserved."), ". ")
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// fontLicence is the file in golang.org/x/image with the licence of its fonts.
const fontLicence = "font/gofont/ttfs/README"

// linked returns the modules in the command, for all systems that it is built for.
func linked(t *testing.T) []part {
	t.Helper()
	files := map[string]map[string]bool{} // licences by module
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", "./cmd/sinew")
		cmd.Dir = testkit.Root(t)
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Skipf("SKIPPED: go list -deps for %s: %v", system, err)
		}
		for line := range strings.Lines(string(out)) {
			fields := strings.Split(strings.TrimSpace(line), "\t")
			if len(fields) != 3 {
				continue
			}
			module, root, dir := fields[0], fields[1], fields[2]
			if files[module] == nil {
				files[module] = map[string]bool{}
			}
			for ; strings.HasPrefix(dir, root); dir = filepath.Dir(dir) {
				for _, file := range licenceFiles(dir) {
					files[module][file] = true
				}
			}
			if strings.HasSuffix(fields[2], "/font/gofont/goregular") {
				files[module][filepath.Join(root, fontLicence)] = true
			}
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	files["the Go runtime and standard library"] = map[string]bool{filepath.Join(strings.TrimSpace(string(root)), "LICENSE"): true}
	var parts []part
	for _, module := range slices.Sorted(maps.Keys(files)) {
		parts = append(parts, newPart(t, module, slices.SortedFunc(maps.Keys(files[module]), func(a, b string) int {
			return 1000*(strings.Count(a, "/")-strings.Count(b, "/")) + strings.Compare(a, b)
		})))
	}
	return parts
}

func licenceFiles(dir string) (files []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|unlicense)(\.(txt|md))?$`).MatchString(e.Name()) && !e.IsDir() {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files
}

func newPart(t *testing.T, name string, files []string) part {
	t.Helper()
	p := part{name: name}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := plain(string(b))
		if slices.Contains(p.texts, text) {
			continue
		}
		p.texts = append(p.texts, text)
		for _, id := range licencesIn(text) {
			if !slices.Contains(p.licences, id) {
				p.licences = append(p.licences, id)
			}
		}
	}
	return p
}

// plain returns a text without differences caused by editors.
func plain(text string) string {
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(text, "\r", "")) {
		lines = append(lines, strings.TrimRight(line, " \t\n"))
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// render returns the text of the list.
func render(parts []part) string {
	var b strings.Builder
	b.WriteString("# Third-party software\n\nThe command sinew and its web console contain this software of others, under these licences. Sinew itself is under the " +
		"Apache License 2.0. This file is written by `go test ./cli/notices -update`.\n\n| software | licence | copyright |\n|---|---|---|\n")
	groups := map[string][]string{}
	var order []string
	for _, p := range parts {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", p.name, strings.Join(p.licences, ", "), strings.Join(copyrights(strings.Join(p.texts, "\n")), "; "))
		for _, text := range p.texts {
			if groups[text] == nil {
				order = append(order, text)
			}
			groups[text] = append(groups[text], p.name)
		}
	}
	for _, text := range order {
		fmt.Fprintf(&b, "\n## %s\n\n```text\n%s\n```\n", strings.Join(groups[text], ", "), text)
	}
	return b.String()
}

// TestEveryPartHasItsNotice compares the list with the contents of the command and its console.
func TestEveryPartHasItsNotice(t *testing.T) {
	parts := linked(t)
	parts = append(parts, bundled(t, parts)...)
	for _, p := range parts {
		if len(p.licences) == 0 {
			t.Errorf("%s: its licence is unknown: check it, and add it to licencesIn if it is acceptable", p.name)
		}
		for _, id := range p.licences {
			if !accepted(id) {
				t.Errorf("%s is under %s, which we do not distribute: remove it", p.name, id)
			}
		}
	}
	want := render(parts)
	if *update && !t.Failed() {
		if err := os.WriteFile("third-party.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text == want {
		return
	}
	have, listed := strings.Split(text, "\n"), strings.Split(want, "\n")
	for _, line := range listed {
		if strings.HasPrefix(line, "| ") && !slices.Contains(have, line) {
			t.Errorf("third-party.md does not have: %s", line)
		}
	}
	for _, line := range have {
		if strings.HasPrefix(line, "| ") && !slices.Contains(listed, line) {
			t.Errorf("third-party.md lists software that is not linked: %s", line)
		}
	}
	t.Error("third-party.md is not up to date: go test ./cli/notices -update")
}

func TestLicencesAreRecognized(t *testing.T) {
	for text, want := range map[string]string{
		"Permission is hereby granted,\nfree of charge, to any person obtaining a copy of": "MIT",
		"Apache License\n   Version 2.0, January 2004":                                     "Apache-2.0",
		"under the Creative Commons Attribution 4.0 License":                               "CC-BY",
		"GNU GENERAL PUBLIC LICENSE Version 3":                                             "GPL",
		"all rights reserved":                                                              "",
	} {
		if got := strings.Join(licencesIn(text), " "); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
		if slices.Contains([]string{"CC-BY", "GPL", ""}, want) && accepted(want) {
			t.Errorf("%q is accepted", want)
		}
	}
}
