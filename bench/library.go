package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/bench/robots"
)

const (
	librarySource = "bench/peers/rl" // where make bench-peers downloads the Robotics Library
	inverseRounds = 3                // the library and sinew alternate this many times
	inversePoses  = 100              // of random configurations
)

// libraryPeer builds a program that includes sources of the Robotics Library: of the checkout that RL names, or of the one that make
// bench-peers downloads. Without a checkout it returns errNoPeer and a peer that is not there.
func libraryPeer(dir, name string, flags ...string) (*peer, error) {
	source := filepath.Join(cmp.Or(os.Getenv("RL"), librarySource), "src")
	p := &peer{name: name, source: name + ".cpp"}
	if _, err := os.Stat(source); err != nil {
		return p, errNoPeer
	}
	for _, module := range []string{"HAL", "MDL"} { // CMake would write these headers
		export := filepath.Join(dir, "rl", strings.ToLower(module), "export.h")
		text := fmt.Sprintf("#define RL_%[1]s_EXPORT\n#define RL_%[1]s_DEPRECATED\n", module)
		if err := errors.Join(os.MkdirAll(filepath.Dir(export), 0o755), os.WriteFile(export, []byte(text), 0o600)); err != nil {
			return p, err
		}
	}
	p.flags = append([]string{"-std=c++11", "-w", "-I", dir, "-I", source, "-I", "/usr/include/eigen3"}, flags...)
	return p, p.build(dir)
}

// libraryModel builds the program that times rl::mdl, the library's kinematics and dynamics. An empty column shows that it is not there.
func libraryModel(dir string) *peer {
	p, err := libraryPeer(dir, "rlmdl", "-I", "/usr/include/libxml2", "-lxml2", "-lxslt")
	if err != nil {
		fmt.Printf("SKIPPED: the Robotics Library's column: %v: make bench-peers, or RL=FOLDER names a checkout of github.com/roboticslibrary/rl\n", err)
	}
	return p
}

// inverse compares iterative inverse kinematics with that of the Robotics Library: from random configurations to the poses of others.
func inverse() error {
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	library := libraryModel(dir)
	fmt.Printf("| %d poses | solved: Robotics Library | sinew | each, median: Robotics Library | sinew | of the Robotics Library |\n|---|---|---|---|---|---|\n", inversePoses)
	for _, r := range robots.All() {
		if r.Floating {
			continue
		}
		_, chain, err := r.ForLibrary(dir)
		if err != nil {
			return err
		}
		theirs, ours := times{}, times{}
		err = inTurns(inverseRounds, []turn{
			{theirs, func() (times, error) { return library.run("inverse", chain, strconv.Itoa(inversePoses)) }},
			{ours, func() (times, error) { return r.TimeInverse(inversePoses) }},
		})
		if err != nil {
			return err
		}
		solved, part := "", ""
		if library.binary != "" {
			solved, part = fmt.Sprintf("%.0f", theirs["solved"]), fmt.Sprintf("%.2g", ours["inverse"]/theirs["inverse"])
		}
		fmt.Printf("| %s | %s | %.0f | %s | %s | %s |\n", r.Name, solved, ours["solved"], micros(theirs["inverse"]), micros(ours["inverse"]), part)
	}
	return nil
}
