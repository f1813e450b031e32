package cli

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
)

//go:embed template/*
var projectTemplate embed.FS

// projectFiles are the files of a new project and their templates.
var projectFiles = map[string]string{
	"go.mod":       "go.mod.tmpl",
	"main.go":      "main.go.tmpl",
	"wave.go":      "wave.go.tmpl",
	"wave_test.go": "wave_test.go.tmpl",
	"system.yaml":  "system.yaml.tmpl",
	"README.md":    "README.md.tmpl",
	".gitignore":   "gitignore.tmpl",
}

var projectName = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)

func newCommand() *cobra.Command {
	var replace string
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Make a project of one block of your own that runs at once",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := args[0]
			name := filepath.Base(dir)
			if !projectName.MatchString(name) {
				return fmt.Errorf("project name %q: wants small letters, digits, - and _, beginning with a letter, as %s", name, suggestedName(name))
			}
			if _, err := os.Stat(dir); err == nil {
				return fmt.Errorf("make project %s: it is there already; choose another name or remove it", dir)
			}
			if err := writeProject(dir, name, replace); err != nil {
				return fmt.Errorf("make project %s: %w", dir, err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s is ready:\n\n  cd %s\n  go mod tidy\n  go run . run system.yaml --for 3s\n  go run . dev system.yaml        # again at every change\n", name, dir)
			return nil
		},
	}
	cmd.Flags().StringVar(&replace, "replace", "", "use the sinew module in this `folder` instead of the published one")
	return cmd
}

// project is what the templates of a new project may say.
type project struct {
	Name, Package, Version, Replace string
}

func writeProject(dir, name, replace string) error {
	p := project{Name: name, Package: strings.NewReplacer("-", "", "_", "").Replace(name), Version: moduleVersion()}
	if replace != "" {
		abs, err := filepath.Abs(replace)
		if err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(abs, "go.mod")); err != nil {
			return fmt.Errorf("--replace %s is no Go module: %w", replace, err)
		}
		p.Replace = abs
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for file, source := range projectFiles {
		text, err := projectTemplate.ReadFile("template/" + source)
		if err != nil {
			return err
		}
		t, err := template.New(file).Parse(string(text))
		if err != nil {
			return err
		}
		var b strings.Builder
		if err := t.Execute(&b, p); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(b.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// moduleVersion returns the version of sinew that this binary was built with.
func moduleVersion() string {
	const module = "github.com/sinew-robotics/sinew"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == module && dep.Version != "" && dep.Version != "(devel)" {
				return dep.Version
			}
		}
	}
	return "v" + Version
}

// suggestedName returns the nearest name that a project can have.
func suggestedName(name string) string {
	name = strings.ToLower(strings.TrimSuffix(name, filepath.Ext(name)))
	name = strings.Trim(regexp.MustCompile(`[^a-z0-9_]+`).ReplaceAllString(name, "-"), "-")
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		return strings.TrimSuffix("robot-"+name, "-")
	}
	return name
}
