package model

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// sourceFlags configure how a robot description is read: the locations of packages, and the arguments of its xacro.
type sourceFlags struct {
	packages, arguments []string
	floating            bool
	ignoreMimic         bool
}

func (s *sourceFlags) register(cmd *cobra.Command) {
	s.registerFile(cmd)
	cmd.Flags().BoolVar(&s.floating, "floating", false, "put a floating joint, root_joint, between the world and the root link")
}

// registerFile adds the flags for verbs where the base is at rest.
func (s *sourceFlags) registerFile(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&s.packages, "package", nil, "location of a package of package:// URIs: `NAME=DIR`; others are searched in the directories above the file")
	cmd.Flags().StringArrayVar(&s.arguments, "xacro-arg", nil, "set an argument of a xacro file: `name:=value`")
}

// registerMimic adds the flag for verbs where mimic joints may count as independent.
func (s *sourceFlags) registerMimic(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.ignoreMimic, "ignore-mimic", false, "let mimic joints move on their own")
}

// read reads the description.
func (s *sourceFlags) read(file string) (*description.Robot, error) {
	options := description.Options{Packages: map[string]fs.FS{}, Arguments: map[string]string{}}
	var wrong []error
	for _, text := range s.packages {
		name, dir, ok := strings.Cut(text, "=")
		if info, err := os.Stat(dir); !ok || name == "" {
			wrong = append(wrong, fmt.Errorf("--package %q: wants NAME=DIR", text))
		} else if err != nil || !info.IsDir() {
			wrong = append(wrong, fmt.Errorf("--package %s: %s is not a directory", name, dir))
		}
		options.Packages[name] = os.DirFS(dir)
	}
	for _, text := range s.arguments {
		name, value, ok := strings.Cut(text, ":=")
		if !ok || name == "" {
			wrong = append(wrong, fmt.Errorf("--xacro-arg %q: wants name:=value", text))
		}
		options.Arguments[name] = value
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	root, name, err := OnDisk(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	robot, err := description.Read(root, name, options)
	if err != nil {
		hint := ""
		if wrong := Kind(file); !strings.HasPrefix(wrong, "a robot") {
			hint = Mistaken(file)
		}
		return nil, errors.New(AsNamed(file, err.Error()) + hint)
	}
	return robot, nil
}

// model reads the description and compiles it.
func (s *sourceFlags) model(file string) (*description.Robot, *multibody.Model, error) {
	robot, err := s.read(file)
	if err != nil {
		return nil, nil, err
	}
	var options []multibody.Option
	if s.ignoreMimic {
		options = append(options, multibody.IgnoreMimic())
	}
	if s.floating {
		options = append(options, multibody.FloatingBase())
	}
	m, err := robot.Model(options...)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	return robot, m, nil
}

// OnDisk returns the whole file system of the disk that holds the file, so that packages above it can be found, and
// the file's path in it.
func OnDisk(file string) (fs.FS, string, error) {
	absolute, err := filepath.Abs(file)
	if err != nil {
		return nil, "", err
	}
	root := filepath.VolumeName(absolute) + string(filepath.Separator)
	inside, err := filepath.Rel(root, absolute)
	if err != nil {
		return nil, "", err
	}
	return os.DirFS(root), filepath.ToSlash(inside), nil
}

// AsNamed rewrites the paths in a text to the form in which the user named the file.
func AsNamed(file, text string) string {
	_, name, err := OnDisk(file)
	switch dir := path.Dir(name); {
	case err != nil:
	case dir == ".":
		text = strings.ReplaceAll(text, name+":", file+":")
	default:
		shown, _ := filepath.Split(file)
		text = strings.ReplaceAll(text, dir+"/", shown)
	}
	return text
}

// Read reads a robot description; packages that it names are searched in the directories above the file.
func Read(file string) (*description.Robot, error) { return new(sourceFlags).read(file) }
