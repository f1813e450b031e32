// Command shapes compares the shapes of sinew model simplify with those of published tools, around the links of a Panda. Run it from the root of the
// repository:
//
//	COACD=…/main VHACD=…/include BOUNDINGMESH=…/boundingmesh FOAM=…/makeTreeMedial go run ./bench/shapes [collision|visual]
//
// COACD, BOUNDINGMESH and FOAM name programs, VHACD the folder of VHACD.h; the rows of those that are not given are left out. Each program reads the mesh of
// a link from an OBJ file and writes its shapes; its time is that of its process on a
// processor. All shapes are judged alike: see measure.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/cli/model"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/mesh"
)

const (
	robotFile = "../shared/data/models/example-robot-data/robots/panda_description/urdf/panda.urdf"
	patience  = time.Minute // of a program for one link
	corners   = 16          // of hulls of few corners
)

// link is a link with one mesh.
type link struct {
	name    string
	surface *mesh.Surface
}

// tool makes shapes around a mesh.
type tool struct {
	name  string
	shape func(file string) (list []part, took time.Duration, err error) // file is the OBJ of the mesh, in a folder of its own
}

func main() {
	if err := compare(); err != nil {
		fmt.Fprintf(os.Stderr, "shapes: %v\n", err)
		os.Exit(1)
	}
}

func compare() error {
	robot, err := model.Read(robotFile)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "sinew-shapes")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	own, err := ownTools(dir)
	if err != nil {
		return err
	}
	peers, err := peerTools(dir)
	if err != nil {
		return err
	}
	for _, set := range []string{"collision", "visual"} {
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], set) {
			continue
		}
		links, err := linksOf(robot, set)
		if err != nil {
			return err
		}
		n := 0
		for _, l := range links {
			n += len(l.surface.Points)
		}
		fmt.Printf("| %s meshes: %d links, %d vertices | links | shapes | corners | volume cm³ | sticks out mm | outside mm | time s |\n|---|---|---|---|---|---|---|---|\n", set, len(links), n)
		for _, t := range append(own, peers...) {
			fmt.Println(t.row(links, filepath.Join(dir, set)))
		}
		fmt.Println()
	}
	return nil
}

// linksOf reads the meshes of links: those of their collision geometry, or of their visuals.
func linksOf(robot *description.Robot, set string) ([]link, error) {
	var list []link
	for _, l := range robot.Links {
		var shapes []description.Geometry
		for _, c := range l.Collisions {
			shapes = append(shapes, c.Geometry)
		}
		if set == "visual" {
			shapes = nil
			for _, v := range l.Visuals {
				shapes = append(shapes, v.Geometry)
			}
		}
		for _, g := range shapes {
			m, ok := g.(description.Mesh)
			if !ok {
				continue
			}
			s, err := robot.Surface(m)
			if err != nil {
				return nil, err
			}
			list = append(list, link{l.Name, s})
		}
	}
	return list, nil
}

// row makes the shapes of all links, measures them, and returns the tool's row.
func (t *tool) row(links []link, dir string) string {
	var sum measures
	var spent time.Duration
	done, reason := 0, ""
	for i := range links {
		l := &links[i]
		at := filepath.Join(dir, t.name, l.name)
		file := filepath.Join(at, "mesh.obj")
		err := errors.Join(os.MkdirAll(at, 0o700), os.WriteFile(file, obj(l.surface), 0o600))
		var parts []part
		var took time.Duration
		if err == nil {
			parts, took, err = t.shape(file)
		}
		var m measures
		if err == nil {
			m, err = measure(l.surface.Points, l.surface.Triangles, parts)
		}
		if err != nil {
			reason = fmt.Sprintf(" (not %s: %v)", l.name, err)
			continue
		}
		done++
		sum.add(m)
		spent += took
	}
	if done == 0 {
		return fmt.Sprintf("| %s | 0%s | | | | | | |", t.name, reason)
	}
	return fmt.Sprintf("| %s | %d%s | %d | %s | %.0f | %.1f | %.3g | %.2f |", t.name, done, reason, sum.shapes, number(sum.corners), 1e6*sum.volume, 1000*sum.protrusion, 1000*sum.outside, spent.Seconds())
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// ownTools are the commands of sinew, which is built into a folder.
func ownTools(dir string) ([]tool, error) {
	program := filepath.Join(dir, "sinew")
	if text, err := exec.Command("go", "build", "-o", program, "./cmd/sinew").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build ./cmd/sinew: %w\n%s", err, text)
	}
	of := func(name string, arguments ...string) tool {
		return tool{name, func(file string) ([]part, time.Duration, error) { return simplified(program, file, arguments) }}
	}
	return []tool{
		of("sinew, `--primitives`", "simplify", "--primitives"),
		of("sinew, `--hulls`", "simplify", "--hulls"),
		of(fmt.Sprintf("sinew, `--bounding %d`", corners), "simplify", "--bounding", fmt.Sprint(corners)),
		of("sinew, `--spheres`", "simplify", "--spheres"),
		of("sinew, `spheres --tolerance 0.03`", "spheres", "--tolerance", "0.03"),
	}, nil
}

// simplified runs a verb of sinew model on a robot of one link with a mesh.
func simplified(program, file string, arguments []string) ([]part, time.Duration, error) {
	text := `<robot name="link"><link name="link"><collision><geometry><mesh filename="mesh.obj"/></geometry></collision></link></robot>`
	source, out := filepath.Join(filepath.Dir(file), "link.urdf"), filepath.Join(filepath.Dir(file), "out.urdf")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		return nil, 0, err
	}
	took, err := run(program, append([]string{"model", arguments[0], source, "-o", out}, arguments[1:]...)...)
	if err != nil {
		return nil, 0, err
	}
	robot, err := model.Read(out)
	if err != nil {
		return nil, 0, err
	}
	shapes, err := robot.Shapes()
	if err != nil {
		return nil, 0, err
	}
	var list []part
	for _, s := range shapes["link"] {
		list = append(list, newPart(s))
	}
	return list, took, nil
}

// peerTools are the foreign programs that the environment names.
func peerTools(dir string) ([]tool, error) {
	var list []tool
	if program := os.Getenv("COACD"); program != "" {
		list = append(list, tool{"CoACD, threshold 0.05", func(file string) ([]part, time.Duration, error) {
			out := filepath.Join(filepath.Dir(file), "out.obj")
			return hulls(out, program, "-i", file, "-o", out, "-ro", out+".remesh.obj", "-pm", "off", "-t", "0.05", "--seed", "1")
		}})
	}
	if program := os.Getenv("BOUNDINGMESH"); program != "" {
		list = append(list, tool{fmt.Sprintf("bounding mesh, %d corners", corners), func(file string) ([]part, time.Duration, error) {
			out := filepath.Join(filepath.Dir(file), "out.obj")
			took, err := run(program, "-d", "Outward", "-v", fmt.Sprint(corners), file, out)
			if err != nil {
				return nil, 0, err
			}
			list, err := meshPart(out)
			return list, took, err
		}})
	}
	if program := os.Getenv("FOAM"); program != "" {
		for _, branch := range []string{"8", "32"} {
			list = append(list, tool{"foam, medial, " + branch + " spheres a link", func(file string) ([]part, time.Duration, error) { return foam(program, file, branch) }})
		}
	}
	if include := os.Getenv("VHACD"); include != "" {
		program := filepath.Join(dir, "vhacd")
		if text, err := exec.Command("c++", "-O3", "-DNDEBUG", "-I"+include, "-o", program, "bench/peers/vhacd.cpp", "-lpthread").CombinedOutput(); err != nil {
			return nil, fmt.Errorf("compile bench/peers/vhacd.cpp: %w\n%s", err, text)
		}
		list = append(list, tool{"V-HACD, at most 64 hulls", func(file string) ([]part, time.Duration, error) {
			out := filepath.Join(filepath.Dir(file), "out.obj")
			return hulls(out, program, file, out)
		}})
	}
	return list, nil
}

// run runs a program and returns the time of processors that it took. Its errors end with the last line that it printed.
func run(program string, arguments ...string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, arguments...)
	text, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return 0, fmt.Errorf("not finished after %v", patience)
	}
	if err != nil {
		lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
		return 0, fmt.Errorf("%w: %s", err, lines[len(lines)-1])
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
