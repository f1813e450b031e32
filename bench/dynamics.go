package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

const (
	dynamicsRounds  = 5  // peers and sinew alternate this many times
	dynamicsBatches = 20 // batches in a round; the best one counts
	dynamicsCalls   = 2000
	dynamicsStates  = 64 // random states, in turn
)

// subject is a robot for measurements of kinematics and dynamics.
type subject struct {
	name     string
	file     string // in bench/robots
	floating bool
	tool     string // link of the Jacobian, the end of KDL's chain
}

var subjects = []subject{
	{"Panda, 7 joints", "panda.urdf", false, "panda_link8"},
	{"UR5, 6 joints", "ur5.urdf", false, "tool0"},
	{"quadruped Solo 12, floating, 18", "solo12.urdf", true, "FL_FOOT"},
	{"humanoid, floating, 35", "humanoid.urdf", true, "LARM_LINK6"},
}

var algorithms = []string{"fk", "jacobian", "rnea", "aba", "crba", "rnea_derivatives", "aba_derivatives"}

// dynamics compares kinematics and dynamics of one state with KDL and MuJoCo. The peers are built here with -O3.
func dynamics() error {
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	kdl := &peer{name: "kdl", source: "kdl.cpp", flags: []string{"-I/usr/include/eigen3", "-lkdl_parser", "-lorocos-kdl"}}
	mujoco := &peer{name: "mujoco", source: "mujoco.cpp", flags: []string{"-lmujoco"}}
	for _, p := range []*peer{kdl, mujoco} {
		_ = p.build(dir) // an empty column shows it
	}
	for _, s := range subjects {
		ours, theirs, pipeline, lanes, written := times{}, times{}, times{}, times{}, times{}
		generated, err := generatePackage(s)
		if err != nil {
			return err
		}
		defer os.RemoveAll(generated)
		path := filepath.Join("bench/robots", s.file)
		forMujoco, err := mujocoFile(dir, s)
		if err != nil {
			return err
		}
		for range dynamicsRounds {
			if !s.floating { // KDL has no joint of six degrees of freedom
				t, err := kdl.run(path, s.tool, strconv.Itoa(dynamicsBatches))
				if err != nil {
					return err
				}
				theirs.keep(t)
			}
			t, err := mujoco.run(forMujoco, s.tool, strconv.Itoa(dynamicsBatches))
			if err != nil {
				return err
			}
			pipeline.keep(t)
			if t, err = timeModel(s); err != nil {
				return err
			}
			ours.keep(t)
			if t, err = timeBatch(s); err != nil {
				return err
			}
			lanes.keep(t)
			if t, err = timeGenerated(generated); err != nil {
				return err
			}
			written.keep(t)
		}
		fmt.Printf("| %s | KDL 1.5.1 | MuJoCo 2.2.2 | any model, one state | of MuJoCo | generated, one state | of MuJoCo | any model, 8 states: each | generated, 8 states: each | of MuJoCo |\n", s.name)
		fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
		for _, name := range algorithms {
			best := pipeline[name]
			fmt.Printf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", name, nanos(theirs[name]), nanos(best),
				nanos(ours[name]), ratio(ours[name], best), nanos(written[name]), ratio(written[name], best),
				nanos(lanes[name]), nanos(written["batch_"+name]), ratio(written["batch_"+name], best))
		}
		fmt.Println()
	}
	return nil
}

func nanos(ns float64) string {
	if ns == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f ns", ns)
}

// mujocoFile writes the robot as URDF for MuJoCo: with a floating joint if the base moves, and without its checks of
// inertias.
func mujocoFile(dir string, s subject) (path string, err error) {
	text, err := os.ReadFile(filepath.Join("bench/robots", s.file))
	if err != nil {
		return "", err
	}
	robot, err := description.ReadURDF(os.DirFS("bench/robots"), s.file, description.Options{})
	if err != nil {
		return "", err
	}
	extra := `<mujoco><compiler discardvisual="true" balanceinertia="true" boundmass="1e-6" boundinertia="1e-9"/></mujoco>`
	if s.floating {
		extra += `<link name="world"/><joint name="root_joint" type="floating"><parent link="world"/><child link="` +
			robot.Links[0].Name + `"/></joint>`
	}
	path = filepath.Join(dir, s.file)
	return path, os.WriteFile(path, []byte(strings.Replace(string(text), "</robot>", extra+"</robot>", 1)), 0o600)
}

// compile returns the model of a subject.
func compile(s subject) (*multibody.Model, error) {
	robot, err := description.ReadURDF(os.DirFS("bench/robots"), s.file, description.Options{})
	if err != nil {
		return nil, err
	}
	var options []multibody.Option
	if s.floating {
		options = append(options, multibody.FloatingBase())
	}
	return robot.Model(options...)
}

// timeModel measures the algorithms of robot/multibody.
func timeModel(s subject) (times, error) {
	m, err := compile(s)
	if err != nil {
		return nil, err
	}
	tool, err := m.Link(s.tool)
	if err != nil {
		return nil, err
	}
	d, n := multibody.NewData(m), m.NV()
	random := rand.New(rand.NewPCG(7, 0))
	type state struct{ q, v, a, tau []float64 }
	var states [dynamicsStates]state
	for i := range states {
		x := &states[i]
		x.q, x.v, x.a, x.tau = make([]float64, m.NQ()), make([]float64, n), make([]float64, n), make([]float64, n)
		m.Random(random, x.q)
		for k := range n {
			x.v[k], x.a[k], x.tau[k] = random.NormFloat64(), random.NormFloat64(), random.NormFloat64()
		}
	}
	out, J := make([]float64, n), make([]float64, 6*n)
	A, B, C := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	t := times{}
	for name, call := range map[string]func(x *state){
		"fk":               func(x *state) { multibody.FK(d, x.q) },
		"jacobian":         func(x *state) { multibody.Jacobian(d, x.q, tool, multibody.Mixed, J) },
		"rnea":             func(x *state) { multibody.RNEA(d, x.q, x.v, x.a, out) },
		"aba":              func(x *state) { multibody.ABA(d, x.q, x.v, x.tau, out) },
		"crba":             func(x *state) { multibody.CRBA(d, x.q, A) },
		"rnea_derivatives": func(x *state) { multibody.RNEADerivatives(d, x.q, x.v, x.a, A, B, C) },
		"aba_derivatives":  func(x *state) { multibody.ABADerivatives(d, x.q, x.v, x.tau, out, A, B, C) },
	} {
		least, _ := best(dynamicsBatches, func() (time.Duration, error) {
			begin := time.Now()
			for i := range dynamicsCalls {
				call(&states[i%dynamicsStates])
			}
			return time.Since(begin), nil
		})
		t[name] = float64(least.Nanoseconds()) / dynamicsCalls
	}
	return t, nil
}
