package catalog

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Text writes a description for a terminal.
func (t Type) Text(w io.Writer) {
	fmt.Fprintf(w, "%s: %s\n", t.Type, t.Doc)
	if t.About != "" {
		fmt.Fprintf(w, "\n%s", printer().Text(parse(t.About)))
	}
	list := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	rows := 0
	row := func(title, format string, args ...any) {
		if rows++; rows == 1 {
			fmt.Fprintf(list, "\n%s\n", title)
		}
		fmt.Fprintf(list, "  "+format+"\n", args...)
	}
	for _, p := range t.Params {
		row("parameters", "%s\t%s\t%s\t%s\t%s\t%s", p.Name, p.kind(), p.Default, p.Bounds, p.Unit, p.Doc)
	}
	list.Flush()
	rows = 0
	for _, p := range t.Ports {
		row("ports", "%s\t%s\t%s\t%s\t%s", p.Name, p.kind(), p.Type, p.Unit, p.Doc)
	}
	list.Flush()
	rows = 0
	for _, o := range t.Operations {
		row("operations", "%s\t%s\t%s", o.Name, o.Unit, o.Doc)
	}
	list.Flush()
}

// Markdown writes a description as a section of a page.
func (t Type) Markdown(w io.Writer) {
	fmt.Fprintf(w, "\n## %s\n\n", t.Type)
	if t.About != "" {
		fmt.Fprint(w, fenced(string(printer().Markdown(parse(t.About)))))
	} else {
		fmt.Fprintf(w, "`%s`: %s.\n", t.Type, t.Doc)
	}
	for i, p := range t.Params {
		if i == 0 {
			fmt.Fprint(w, "\n| parameter | type | default | bounds | unit | meaning |\n|---|---|---|---|---|---|\n")
		}
		first := ""
		if p.Default != "" {
			first = "`" + p.Default + "`"
		}
		fmt.Fprintf(w, "| `%s` | %s | %s | %s | %s | %s |\n", p.Name, p.kind(), first, p.Bounds, p.Unit, p.Doc)
	}
	for i, p := range t.Ports {
		if i == 0 {
			fmt.Fprint(w, "\n| port | kind | type | unit | meaning |\n|---|---|---|---|---|\n")
		}
		fmt.Fprintf(w, "| `%s` | %s | %s | %s | %s |\n", p.Name, p.kind(), p.Type, p.Unit, p.Doc)
	}
	for i, o := range t.Operations {
		if i == 0 {
			fmt.Fprint(w, "\n| operation | unit | meaning |\n|---|---|---|\n")
		}
		fmt.Fprintf(w, "| `%s` | %s | %s |\n", o.Name, o.Unit, o.Doc)
	}
}

func (p Param) kind() string {
	if p.Fixed {
		return p.Type + ", constant"
	}
	return p.Type
}

func (p Port) kind() string {
	if p.Trigger {
		return p.Kind + ", trigger"
	}
	return p.Kind
}

// fenced turns blocks that are indented by a tab into fenced ones, which keep their drawings in every viewer.
func fenced(page string) string {
	var b strings.Builder
	inside := false
	lines := strings.SplitAfter(page, "\n")
	for i, line := range lines {
		code := strings.HasPrefix(line, "\t")
		if inside && line == "\n" { // an empty line belongs to the block if the block continues behind it
			for _, next := range lines[i:] {
				if next != "\n" {
					code = strings.HasPrefix(next, "\t")
					break
				}
			}
		}
		switch {
		case code && !inside:
			b.WriteString("```text\n")
		case inside && !code:
			b.WriteString("```\n")
		}
		inside = code
		b.WriteString(strings.TrimPrefix(line, "\t"))
	}
	if inside {
		b.WriteString("```\n")
	}
	return b.String()
}
