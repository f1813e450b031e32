package plan

import (
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/planning"
)

// kind returns the planner of this name.
func kind(name string) (planning.Kind, error) {
	for _, k := range planning.Kinds() {
		if k.Name == name {
			return k, nil
		}
	}
	return planning.Kind{}, unknown("planner", name, kindNames())
}

// noKind explains that a scenario asks for a planner that does not exist.
func noKind(name string) error {
	return fmt.Errorf("the scenario asks for the planner %s, which does not exist; choose another one by --planner: %s", name, strings.Join(kindNames(), ", "))
}

// kindNames returns the names of all planners.
func kindNames() (names []string) {
	for _, k := range planning.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// optimizerKind returns the optimizer of this name.
func optimizerKind(name string) (planning.OptimizerKind, error) {
	var names []string
	for _, k := range planning.Optimizers() {
		if k.Name == name {
			return k, nil
		}
		names = append(names, k.Name)
	}
	return planning.OptimizerKind{}, unknown("optimizer", name, names)
}

func unknown(what, name string, names []string) error {
	return fmt.Errorf("--%s %s: there is no such %s%s; choose one of %s", what, name, what, nearest.Hint(name, names), strings.Join(names, ", "))
}

// planners returns a line for each planner.
func planners() string {
	var lines []string
	for _, k := range planning.Kinds() {
		lines = append(lines, line(k.Name, k.Doc))
	}
	return strings.Join(lines, "\n")
}

// optimizers returns a line for each optimizer.
func optimizers() string {
	var lines []string
	for _, k := range planning.Optimizers() {
		lines = append(lines, line(k.Name, k.Doc))
	}
	return strings.Join(lines, "\n")
}

func line(name, doc string) string { return fmt.Sprintf("  %-20s %s", name, doc) }
