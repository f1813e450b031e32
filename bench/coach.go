package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

const (
	coachSteps  = 2000
	coachJoints = 2
)

// coachSystem has two robots, in the order of the coach's numbers: one that torques move, and one that nothing moves.
const coachSystem = `system: bench-coach
threads: {main: {period: 1ms}}
blocks:
  rest: {type: flow.Constant, params: {value: [0, 0]}}
  arm: {type: torque.Robot, params: {urdf: arm.urdf, patience: 1}}
  generator: {type: servo.Generator, params: {n: 2}}
  reference: {type: servo.BridgeRef, params: {n: 2}}
  still: {type: servo.InverseDynamics, params: {urdf: still.urdf}}
links: [rest.out -> arm.torque, generator.position -> reference.position, generator.velocity -> reference.velocity, generator.acceleration -> reference.acceleration, reference.reference -> still.reference]
`

// coachLever is a robot of coachJoints joints; the argument begins the names of its joints: of two robots whose joints have the same names, one counts.
const coachLever = `<robot name="lever"><link name="foot"/>
  <link name="lower"><inertial><origin xyz="0 0 0.2"/><mass value="1"/><inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="upper"><inertial><origin xyz="0 0 0.2"/><mass value="1"/><inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="%[1]s1" type="continuous"><parent link="foot"/><child link="lower"/><axis xyz="0 0 1"/></joint>
  <joint name="%[1]s2" type="continuous"><parent link="lower"/><child link="upper"/><origin xyz="0 0 0.4"/><axis xyz="0 0 1"/></joint>
</robot>`

// coached moves robots through the coach's port with rl::hal::Coach, the client class of the Robotics Library, compiled from its source.
func coached() error {
	dir, err := os.MkdirTemp("", "sinew-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	client, err := libraryPeer(dir, "coach")
	if errors.Is(err, errNoPeer) {
		fmt.Println("| the Robotics Library's client at the coach's port | not on this machine: make bench-peers |")
		return nil
	}
	if err != nil {
		return err
	}
	sinew, port, err := coachConsole(dir)
	if err != nil {
		return err
	}
	defer sinew.end()
	t, err := client.run(strconv.Itoa(port), strconv.Itoa(coachSteps), "1", "0", strconv.Itoa(coachJoints))
	if err != nil {
		return err
	}
	fmt.Println("| `rl::hal::Coach` at the coach's port | |")
	fmt.Println("|---|---|")
	fmt.Printf("| a step, one round trip over TCP: positions set, positions read, median | %s |\n", nanos(t["step"]))
	fmt.Printf("| the same, 99 %% | %s |\n", nanos(t["step99"]))
	fmt.Printf("| 32 bytes to a thread that sends them back, median | %s |\n", nanos(t["echo"]))
	fmt.Printf("| the same, 99 %% | %s |\n", nanos(t["echo99"]))
	fmt.Printf("| of %d steps, those that read what they have set | %.0f |\n", coachSteps, t["answered"])
	fmt.Printf("| of %d steps that send velocities, those that are answered | %.0f |\n", coachSteps, t["ignored"])
	fmt.Printf("| movement of a simulator's joint after 0.5 s of torques | %.2f rad |\n", t["driven"])
	if t["answered"] != coachSteps || t["ignored"] != coachSteps || t["driven"] == 0 {
		return errors.New("the coach's port does not serve the library's client")
	}
	return nil
}

// coachConsole runs the system with a console and returns the coach's port.
func coachConsole(dir string) (*consoleProcess, int, error) {
	sinew := filepath.Join(dir, "sinew")
	if out, err := exec.Command("go", "build", "-o", sinew, "./cmd/sinew").CombinedOutput(); err != nil {
		return nil, 0, fmt.Errorf("build sinew: %w\n%s", err, out)
	}
	for name, text := range map[string]string{
		"arm.urdf": fmt.Sprintf(coachLever, "arm"), "still.urdf": fmt.Sprintf(coachLever, "still"), "coach.yaml": coachSystem,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, 0, err
		}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, 0, err
	}
	port := free.Addr().(*net.TCPAddr).Port
	if err := free.Close(); err != nil {
		return nil, 0, err
	}
	p, err := startConsole(sinew, "run", filepath.Join(dir, "coach.yaml"), "--quiet", "--console", "--coach", "127.0.0.1:"+strconv.Itoa(port))
	return p, port, err
}
