package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/parts/torque"
)

const (
	torsoRounds  = 20                     // in virtual time; the best one counts
	torsoVirtual = 200 * time.Millisecond // of a round
	torsoReal    = 5 * time.Second
	torsoBudget  = 500 * time.Microsecond // half a core at 1 kHz
)

// torso measures robots with full dynamics under joint impedance control at 1 kHz: the torso of 43 joints with its
// tour, and a tree of 100 joints. The first numbers are of the calculation alone, in virtual time; the last ones of
// the process in real time, including the cost of waking up.
func torso() error {
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	hundred, err := hundredJoints(dir)
	if err != nil {
		return err
	}
	fmt.Println("| simulator and controller at 1 kHz | a step | of the budget of half a core | in real time: of a core | steps left out |")
	fmt.Println("|---|---|---|---|---|")
	for _, c := range []struct{ name, file string }{
		{"torso, two arms, two hands: 43 joints", "examples/torso/torso.yaml"},
		{"four limbs of 25: 100 joints", hundred},
	} {
		least, err := best(torsoRounds, func() (time.Duration, error) {
			core, err := loadCore(c.file, torsoVirtual)
			if err != nil {
				return 0, err
			}
			begin := time.Now()
			err = core.RunVirtual(context.Background())
			return time.Since(begin), err
		})
		if err != nil {
			return err
		}
		step := least / time.Duration(torsoVirtual/time.Millisecond)
		share, slips, err := inRealTime(c.file)
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %.0f µs | %.0f %% | %.0f %% | %d of %d |\n", c.name, float64(step.Nanoseconds())/1e3,
			100*float64(step)/float64(torsoBudget), 100*share, slips, torsoReal/time.Millisecond)
	}
	return nil
}

// loadCore reads a system that ends after the given time.
func loadCore(file string, length time.Duration) (*thread.Core, error) {
	s, err := system.Load(file, system.Options{Registry: block.NewRegistry(flow.Blocks(), servo.Blocks(), torque.Blocks())})
	if err != nil {
		return nil, err
	}
	return thread.New(s.Net, thread.Options{Until: clock.At(length)}), nil
}

// inRealTime returns the share of a core that the system uses, and the number of periods that the threads omitted.
func inRealTime(file string) (share float64, slips uint64, err error) {
	core, err := loadCore(file, torsoReal)
	if err != nil {
		return 0, 0, err
	}
	begin, busy := time.Now(), processorTime()
	if err := core.Run(context.Background(), func([]string) {}); err != nil {
		return 0, 0, err
	}
	share = (processorTime() - busy).Seconds() / time.Since(begin).Seconds()
	for _, t := range core.Front().Stats() {
		slips = max(slips, t.Slips)
	}
	return share, slips, nil
}

// hundredJoints writes a robot of four limbs with 25 joints each, and the system whose impedance control holds it.
func hundredJoints(dir string) (file string, err error) {
	axes := []string{"1 0 0", "0 1 0", "0 0 1"}
	var urdf strings.Builder
	urdf.WriteString("<robot name=\"hundred\">\n<link name=\"base\"/>\n")
	for i := range 100 {
		parent, origin := fmt.Sprintf("link%02d", i-1), `xyz="0.05 0 0"`
		if i%25 == 0 {
			parent, origin = "base", fmt.Sprintf(`xyz="0 0 1" rpy="0 0 %g"`, float64(i)*3.14159/50)
		}
		fmt.Fprintf(&urdf, `<link name="link%02d"><inertial><origin xyz="0.025 0 0"/><mass value="0.2"/>
<inertia ixx="1e-4" ixy="0" ixz="0" iyy="2e-4" iyz="0" izz="2e-4"/></inertial></link>
<joint name="joint%02d" type="continuous"><parent link="%s"/><child link="link%02d"/><origin %s/><axis xyz="%s"/>
<limit effort="200" velocity="10"/><dynamics damping="0.2"/></joint>
`, i, i, parent, i, origin, axes[i%3])
	}
	urdf.WriteString("</robot>\n")
	const yaml = `system: hundred
threads:
  robot:   {period: 1ms, priority: 90}
  control: {triggered: true, priority: 80}
blocks:
  robot: {type: torque.Robot, thread: robot, params: {urdf: hundred.urdf}}
  model: {type: torque.RobotModel, thread: control, params: {urdf: hundred.urdf}}
  joints: {type: torque.Impedance, thread: control, params: {n: 100, stiffness: [200]}}
  rest: {type: flow.Constant, thread: robot, params: {value: [ZEROS]}}
links:
  - rest.out -> joints.desired
  - robot.position -> model.position
  - robot.position -> joints.position
  - robot.velocity -> joints.velocity
  - model.gravity -> joints.gravity
  - model.inertia -> joints.inertia
  - joints.torque -> robot.torque
`
	if err := os.WriteFile(filepath.Join(dir, "hundred.urdf"), []byte(urdf.String()), 0o600); err != nil {
		return "", err
	}
	file = filepath.Join(dir, "hundred.yaml")
	return file, os.WriteFile(file, []byte(strings.Replace(yaml, "ZEROS", strings.Repeat("0, ", 99)+"0", 1)), 0o600)
}
