package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/sim"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

const (
	contactRounds  = 5 // MuJoCo and sinew alternate this many times
	contactBatches = 10
	contactSteps   = 200 // of 1 ms in a batch, as in bench/peers/contacts.cpp
	contactSettle  = time.Second
)

// contactScene is bodies that have come to rest on level ground: columns × columns stacks of height bodies.
type contactScene struct {
	name            string
	balls           bool
	columns, height int
}

// contacts compares steps of worlds with contacts with those of MuJoCo.
func contacts() error {
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	mujoco := &peer{name: "contacts", source: "contacts.cpp", flags: []string{"-lmujoco"}}
	_ = mujoco.build(dir) // an empty column shows it
	fmt.Println("| scene, steps of 1 ms | points of contact: MuJoCo 2.2.2 | sinew | a step, µs: MuJoCo | sinew | of MuJoCo | sinew, points a second |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, s := range []contactScene{
		{"a stack of 3 boxes", false, 1, 3}, {"27 boxes in stacks of 3", false, 3, 3}, {"25 balls", true, 5, 1},
	} {
		path := filepath.Join(dir, "scene.xml")
		if err := os.WriteFile(path, []byte(s.mujoco()), 0o600); err != nil {
			return err
		}
		w, err := s.world()
		if err != nil {
			return err
		}
		w.Step(contactSettle)
		theirs, least := times{}, 0.0
		for range contactRounds {
			t, err := mujoco.run(path, strconv.FormatFloat(contactSettle.Seconds(), 'g', -1, 64), strconv.Itoa(contactBatches))
			if err != nil {
				return err
			}
			theirs.keep(t)
			d, _ := best(contactBatches, func() (time.Duration, error) {
				begin := time.Now()
				for range contactSteps {
					w.Step(time.Millisecond)
				}
				return time.Since(begin), nil
			})
			if ns := float64(d.Nanoseconds()) / contactSteps; least == 0 || ns < least {
				least = ns
			}
		}
		n := len(w.Touches(nil))
		column := func(x float64) string {
			if x == 0 {
				return ""
			}
			return fmt.Sprintf("%.1f", x/1000)
		}
		fmt.Printf("| %s | %.0f | %d | %s | %s | %s | %.1f million |\n", s.name, theirs["contacts"], n, column(theirs["step"]), column(least),
			ratio(least, theirs["step"]), float64(n)/least*1000)
	}
	return nil
}

// place returns where the bodies are, 0.1 m in size.
func (s contactScene) place() (at []spatial.Vec3) {
	for i := range s.columns {
		for j := range s.columns {
			for k := range s.height {
				at = append(at, spatial.Vec3{X: 0.2 * float64(i), Y: 0.2 * float64(j), Z: 0.05 + 0.1*float64(k)})
			}
		}
	}
	return at
}

// mujoco returns the scene in MuJoCo's format, with the cone of friction that sinew has and otherwise with its defaults.
func (s contactScene) mujoco() string {
	shape := `type="box" size="0.05 0.05 0.05"`
	if s.balls {
		shape = `type="sphere" size="0.05"`
	}
	var b strings.Builder
	b.WriteString(`<mujoco><option timestep="1e-3" cone="elliptic"/><size nconmax="1000" njmax="4000"/><default><geom friction="0.5"/></default><worldbody><geom type="plane" size="9 9 1"/>`)
	for _, p := range s.place() {
		fmt.Fprintf(&b, `<body pos="%g %g %g"><freejoint/><geom mass="1" %s/></body>`, p.X, p.Y, p.Z, shape)
	}
	b.WriteString("</worldbody></mujoco>")
	return b.String()
}

func (s contactScene) world() (*sim.World, error) {
	shape, err := geometry.NewBox(spatial.Vec3{X: 0.1, Y: 0.1, Z: 0.1})
	inertia := 0.1 * 0.1 / 6
	if s.balls {
		shape, err = geometry.NewSphere(0.05)
		inertia = 0.4 * 0.05 * 0.05
	}
	if err != nil {
		return nil, err
	}
	bodies := []sim.Body{{Name: "ground", Fixed: true, Parts: []geometry.Part{{Shape: geometry.NewPlane()}}, Material: sim.Hard(0.5)}}
	for i, p := range s.place() {
		bodies = append(bodies, sim.Body{Name: strconv.Itoa(i), Pose: spatial.Translation(p), Parts: []geometry.Part{{Shape: shape}}, Material: sim.Hard(0.5),
			Inertia: spatial.Inertia{Mass: 1, Rotational: spatial.SymDiag(inertia, inertia, inertia)}})
	}
	return sim.NewWorld(sim.WorldOptions{}, nil, bodies)
}
