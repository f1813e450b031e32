// Package emulate is the verb `sinew emulate`: devices that are not there, at the other end of a real channel.
package emulate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/canopen"
	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/dynamixel"
	"github.com/sinew-robotics/sinew/device/feetech"
	"github.com/sinew-robotics/sinew/device/modbus"
	"github.com/sinew-robotics/sinew/device/nmea"
	"github.com/sinew-robotics/sinew/device/pb9"
	"github.com/sinew-robotics/sinew/device/rdt"
	"github.com/sinew-robotics/sinew/device/robotiq"
	"github.com/sinew-robotics/sinew/device/scip"
	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/device/ur"
	"github.com/sinew-robotics/sinew/device/vectornav"
	"github.com/sinew-robotics/sinew/device/wire"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// period is how often an emulator looks at its channel.
const period = time.Millisecond

// maxLag is the longest time that an emulator makes up for when it was held up.
const maxLag = time.Second

// Command returns the verb.
func Command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "emulate",
		Short: "Be a device that is not there, on a serial line or a network",
		Long: `Be a device that is not there: a program that drives the real one finds this one at the other end of a pseudo-terminal, a TCP
connection or a CAN bus. Ctrl-C ends it, which to the program looks as if the device was unplugged.`,
	}
	cmd.AddCommand(scipCommand(), pb9Command(), nmeaCommand(), vectornavCommand(), robotiqCommand(), urCommand(), dynamixelCommand(), feetechCommand(), canopenCommand(), rdtCommand())
	return cmd
}

func scipCommand() *cobra.Command {
	var at place
	seen := newView()
	cmd := &cobra.Command{
		Use:   "scip",
		Short: "A laser scanner Hokuyo URG-04LX (SCIP 2.0)",
		Long: `Emulate a laser scanner Hokuyo URG-04LX: 682 beams over 240°, ten scans a second. It stands in the middle of a room, in which a pillar
goes around it.`,
		Example: "  sinew emulate scip --pty /tmp/laser\n  sinew emulate scip --listen 127.0.0.1:10940 --room 10,5 --pillar 0.3,2,0",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := seen.check()
			if err != nil {
				return err
			}
			return at.run(cmd.Context(), cmd.OutOrStdout(), "a SCIP 2.0 scanner", func(w wire.Wire) driver.Emulator {
				return scip.NewEmulator(w, scip.URG04LX(), r.Distance)
			})
		},
	}
	at.flags(cmd, "10940")
	seen.flags(cmd)
	return cmd
}

func pb9Command() *cobra.Command {
	var at place
	seen := newView()
	cmd := &cobra.Command{
		Use:   "pb9",
		Short: "A laser scanner PB9-11 (sinew's own protocol)",
		Long: `Emulate a laser scanner PB9-11: 91 sectors over 162°, to 4 m, ten scans a second. It stands in the middle of a room, in which a pillar goes
around it. The protocol is on the page docs/reference/pb9.md.`,
		Example: "  sinew emulate pb9 --pty /tmp/laser\n  sinew emulate pb9 --listen 127.0.0.1:10911 --room 10,5 --pillar 0.3,2,0",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := seen.check()
			if err != nil {
				return err
			}
			return at.run(cmd.Context(), cmd.OutOrStdout(), "a PB9-11 scanner", func(w wire.Wire) driver.Emulator {
				return pb9.NewEmulator(w, r.Distance)
			})
		},
	}
	at.flags(cmd, "10911")
	seen.flags(cmd)
	return cmd
}

func robotiqCommand() *cobra.Command {
	var at place
	var name string
	var object float64
	cmd := &cobra.Command{
		Use:     "robotiq",
		Short:   "A gripper of Robotiq (Modbus RTU or TCP)",
		Long:    "Emulate a gripper 2F-85, 2F-140 or Hand-E of Robotiq: Modbus unit 9, RTU on a pseudo-terminal, Modbus TCP on a network.",
		Example: "  sinew emulate robotiq --pty /tmp/gripper --object 0.03",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			model, err := robotiq.ModelOf(name)
			if err != nil {
				return fmt.Errorf("--model: %w", err)
			}
			if !(object >= 0 && object <= model.Stroke) {
				return fmt.Errorf("--object %v: expected a width in m from 0 to %v", object, model.Stroke)
			}
			return at.run(cmd.Context(), cmd.OutOrStdout(), "a gripper of Robotiq", func(w wire.Wire) driver.Emulator {
				e := robotiq.NewEmulator(w, modbus.FramingOf(w.String()), model)
				e.Object = object
				return e
			})
		},
	}
	at.flags(cmd, "502")
	cmd.Flags().StringVar(&name, "model", "2f-85", "2f-85, 2f-140 or hand-e")
	cmd.Flags().Float64Var(&object, "object", 0, "width in m of what lies between the fingers; 0: nothing")
	return cmd
}

func urCommand() *cobra.Command {
	var at place
	posture := []float64{0, -math.Pi / 2, math.Pi / 2, -math.Pi / 2, -math.Pi / 2, 0}
	cmd := &cobra.Command{
		Use:     "ur",
		Short:   "An arm of Universal Robots (RTDE 2)",
		Long:    "Emulate an arm of Universal Robots: RTDE 2, up to 500 packages a second. A program runs on it that follows the positions in its registers 24 to 29.",
		Example: "  sinew emulate ur --listen 127.0.0.1:30004",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if len(posture) != ur.Joints {
				return fmt.Errorf("--posture %v: expected the positions of %d joints in rad", posture, ur.Joints)
			}
			return at.run(cmd.Context(), cmd.OutOrStdout(), "an arm of Universal Robots", func(w wire.Wire) driver.Emulator {
				return ur.NewEmulator(w, [ur.Joints]float64(posture))
			})
		},
	}
	at.flags(cmd, "30004")
	cmd.Flags().Float64SliceVar(&posture, "posture", posture, "positions of its joints at first, rad")
	return cmd
}

func dynamixelCommand() *cobra.Command {
	return servoCommand("dynamixel", "A chain of Dynamixel servos (protocol 2.0)",
		"Emulate Dynamixel servos XM430-W210 on one line. They know ping, read, write, sync read, fast sync read and sync write.", "Dynamixel servos", dynamixel.CheckIDs,
		func(w wire.Wire, ids []int) driver.Emulator { return dynamixel.NewEmulator(w, ids...) })
}

func feetechCommand() *cobra.Command {
	return servoCommand("feetech", "A chain of Feetech servos (STS series)",
		"Emulate Feetech servos STS3215 on one line. They know ping, read, write, sync read and sync write.", "Feetech servos", feetech.CheckIDs,
		func(w wire.Wire, ids []int) driver.Emulator { return feetech.NewEmulator(w, ids...) })
}

// servoCommand returns the command that emulates servos of a kind.
func servoCommand(name, short, long, what string, check func(ids []int) error, create func(w wire.Wire, ids []int) driver.Emulator) *cobra.Command {
	var at place
	ids := []int{1, 2}
	cmd := &cobra.Command{
		Use:     name,
		Short:   short,
		Long:    long,
		Example: "  sinew emulate " + name + " --pty /tmp/servos --servos 1,2,3",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := check(ids); err != nil {
				return fmt.Errorf("--servos: %w", err)
			}
			return at.run(cmd.Context(), cmd.OutOrStdout(), what, func(w wire.Wire) driver.Emulator { return create(w, ids) })
		},
	}
	at.flags(cmd, "10001")
	cmd.Flags().IntSliceVar(&ids, "servos", ids, "numbers of the servos")
	return cmd
}

func canopenCommand() *cobra.Command {
	at := place{kind: wire.Frames}
	ids := []int{1, 2}
	var robot, drives string
	cmd := &cobra.Command{
		Use:   "canopen",
		Short: "Drives or actuator cards on a CAN bus (CANopen, CiA 402)",
		Long: `Emulate CANopen drives on one bus: CiA 402 with the cyclic synchronous modes for position, velocity and torque, CiA 301 with heartbeats, both
SDO transfers, four PDOs in either direction and emergencies. A turn of the joint has 65536 increments.

With --robot and --drives, emulate the actuator cards of a simulated robot instead, nodes 1, 2 and so on in the order of its axes: the device behind a block
servo.CANRobot.`,
		Example: "  sinew emulate canopen --can can+udp://239.74.163.2:43113 --nodes 1,2,3\n  sinew emulate canopen --can can://can0 --robot janus.urdf --drives drives.yaml",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := canopen.CheckNodes(ids); err != nil {
				return fmt.Errorf("--nodes: %w", err)
			}
			if robot != "" {
				return cards(cmd, &at, robot, drives)
			}
			return at.run(cmd.Context(), cmd.OutOrStdout(), "CANopen drives", func(w wire.Wire) driver.Emulator {
				return canopen.NewEmulator(w, ids...)
			})
		},
	}
	at.flags(cmd, "")
	cmd.Flags().IntSliceVar(&ids, "nodes", ids, "numbers of the drives")
	cmd.Flags().StringVar(&robot, "robot", "", "file of a robot, in any format that sinew model reads, whose actuator cards to emulate")
	cmd.Flags().StringVar(&drives, "drives", "", "file of its drives")
	cmd.MarkFlagsRequiredTogether("robot", "drives")
	cmd.MarkFlagsMutuallyExclusive("robot", "nodes")
	return cmd
}

// cards emulates the actuator cards of a robot.
func cards(cmd *cobra.Command, at *place, robot, drives string) error {
	var rooted [2]string
	for i, path := range []string{robot, drives} {
		whole, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		rooted[i] = strings.TrimPrefix(whole, "/")
	}
	simulated, err := sim.Load(os.DirFS("/"), rooted[0], rooted[1])
	if err != nil {
		return errors.New(strings.NewReplacer(rooted[0], robot, rooted[1], drives).Replace(err.Error()))
	}
	return at.run(cmd.Context(), cmd.OutOrStdout(), "actuator cards", func(w wire.Wire) driver.Emulator {
		return canopen.NewCardEmulator(w, simulated)
	})
}

func rdtCommand() *cobra.Command {
	at := place{kind: wire.Datagrams}
	var axia bool
	load := []float64{0, 0, -10, 0, 0, 0}
	cmd := &cobra.Command{
		Use:     "rdt",
		Short:   "A force-torque sensor of ATI (RDT over UDP)",
		Long:    "Emulate a force-torque sensor Net F/T or Axia of ATI: 1000 records a second, 1,000,000 counts a N and a N m.",
		Example: "  sinew emulate rdt --listen 127.0.0.1:49152 --load 0,0,-20,0,0,0",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if len(load) != 6 {
				return fmt.Errorf("--load %v: expected force and torque, three numbers each", load)
			}
			return at.run(cmd.Context(), cmd.OutOrStdout(), "a force-torque sensor", func(w wire.Wire) driver.Emulator {
				e := rdt.NewEmulator(w, rdt.Options{Axia: axia}, time.Millisecond)
				e.Load = [6]float64(load)
				return e
			})
		},
	}
	at.flags(cmd, "49152")
	cmd.Flags().BoolVar(&axia, "axia", false, "be an Axia, which another command starts")
	cmd.Flags().Float64SliceVar(&load, "load", load, "what acts on it, N and N m")
	return cmd
}

func nmeaCommand() *cobra.Command {
	at := place{sends: true}
	where := []float64{48.0945, 11.5795, 518}
	velocity := []float64{0, 0}
	var rate float64
	var quality int
	cmd := &cobra.Command{
		Use:     "nmea",
		Short:   "A satellite receiver (NMEA 0183)",
		Long:    "Emulate a satellite receiver: it sends the sentences GSA, GST, RMC and GGA, and stands where it is.",
		Example: "  sinew emulate nmea --pty /tmp/gps --at 48.0945,11.5795,518\n  sinew emulate nmea --send 127.0.0.1:10110 --rate 1 --quality 0",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if len(where) != 3 || !(math.Abs(where[0]) <= 90 && math.Abs(where[1]) <= 180 && math.Abs(where[2]) <= 1e5) {
				return fmt.Errorf("--at %v: expected latitude and longitude in degrees, and height in m", where)
			}
			if len(velocity) != 2 || !(math.Hypot(velocity[0], velocity[1]) <= 1000) {
				return fmt.Errorf("--velocity %v: expected the velocity to the north and to the east, up to 1000 m/s", velocity)
			}
			if !(rate >= 0.5 && rate <= 20) {
				return fmt.Errorf("--rate %v: expected a number from 0.5 to 20", rate)
			}
			if quality < 0 || quality > 8 {
				return fmt.Errorf("--quality %d: expected a number from 0 to 8", quality)
			}
			return at.run(cmd.Context(), cmd.OutOrStdout(), "a satellite receiver", func(w wire.Wire) driver.Emulator {
				e := nmea.NewEmulator(w, time.Duration(float64(time.Second)/rate))
				e.Fix = device.Fix{
					Latitude: where[0] * math.Pi / 180, Longitude: where[1] * math.Pi / 180, Height: where[2], North: velocity[0], East: velocity[1],
					Deviation: [3]float64{1, 1, 2}, Quality: device.FixQuality(quality), Satellites: 12,
				}
				return e
			})
		},
	}
	at.flags(cmd, "10110")
	cmd.Flags().Float64SliceVar(&where, "at", where, "latitude and longitude in degrees, and height in m")
	cmd.Flags().Float64SliceVar(&velocity, "velocity", velocity, "velocity that it reports, to the north and to the east, m/s")
	cmd.Flags().Float64Var(&rate, "rate", 10, "solutions in a second")
	cmd.Flags().IntVar(&quality, "quality", 1, "of its fix; 0: it has none")
	return cmd
}

func vectornavCommand() *cobra.Command {
	var at place
	motion := []float64{0, 0, 0, 0, 0, -9.81}
	cmd := &cobra.Command{
		Use:     "vectornav",
		Short:   "An inertial measurement unit of VectorNav (ASCII)",
		Long:    "Emulate an inertial measurement unit VN-100 of VectorNav: it takes the commands that set its message, YMR, and its rate. Its z axis points down.",
		Example: "  sinew emulate vectornav --pty /tmp/imu --motion 0,0,0.1,0,0,-9.81",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if len(motion) != 6 {
				return fmt.Errorf("--motion %v: expected angular velocity and acceleration, three numbers each", motion)
			}
			return at.run(cmd.Context(), cmd.OutOrStdout(), "an inertial measurement unit", func(w wire.Wire) driver.Emulator {
				e := vectornav.NewEmulator(w)
				e.Velocity = spatial.Vec3{X: motion[0], Y: motion[1], Z: motion[2]}
				e.Acceleration = spatial.Vec3{X: motion[3], Y: motion[4], Z: motion[5]}
				return e
			})
		},
	}
	at.flags(cmd, "10001")
	cmd.Flags().Float64SliceVar(&motion, "motion", motion, "what it measures: angular velocity in rad/s, then acceleration in m/s²")
	return cmd
}

// view is what an emulated scanner sees.
type view struct{ room, pillar []float64 }

func newView() *view { return &view{room: []float64{6, 4}, pillar: []float64{0.2, 1, 8}} }

func (v *view) flags(cmd *cobra.Command) {
	cmd.Flags().Float64SliceVar(&v.room, "room", v.room, "length and width of the room in m")
	cmd.Flags().Float64SliceVar(&v.pillar, "pillar", v.pillar, "radius of the pillar and its distance in m, and the time in which it goes around in s; 0 s: it stands in front")
}

// check checks the flags, and returns the room.
func (v *view) check() (sim.Room, error) {
	if len(v.room) != 2 || !(v.room[0] > 0 && v.room[1] > 0) {
		return sim.Room{}, fmt.Errorf("--room %v: expected length and width in m, each more than 0", v.room)
	}
	if len(v.pillar) != 3 || !(v.pillar[0] >= 0 && v.pillar[1] > v.pillar[0] && v.pillar[2] >= 0) {
		return sim.Room{}, fmt.Errorf("--pillar %v: expected its radius in m, a greater distance in m, and a time in s", v.pillar)
	}
	return sim.Room{Length: v.room[0], Width: v.room[1], Pillar: v.pillar[0], Orbit: v.pillar[1], Period: v.pillar[2]}, nil
}

// place is where an emulator is found.
type place struct {
	kind                   wire.Kind // "": bytes
	sends                  bool      // it can send datagrams without being asked
	pty, listen, send, can string
}

func (p *place) flags(cmd *cobra.Command, port string) {
	if p.kind == wire.Datagrams {
		cmd.Flags().StringVar(&p.listen, "listen", "", "address at which to wait for datagrams, for example 127.0.0.1:"+port)
		_ = cmd.MarkFlagRequired("listen")
		return
	}
	if p.kind == wire.Frames {
		cmd.Flags().StringVar(&p.can, "can", "", "address of the bus: can://can0, slcan:///dev/ttyACM0?bitrate=500000 or can+udp://239.74.163.2:43113")
		_ = cmd.MarkFlagRequired("can")
		return
	}
	p.kind = wire.Bytes
	cmd.Flags().StringVar(&p.pty, "pty", "", "path of a pseudo-terminal to make: for the program it is a serial line")
	cmd.Flags().StringVar(&p.listen, "listen", "", "address at which to wait for TCP connections, for example 127.0.0.1:"+port)
	flags := []string{"pty", "listen"}
	if p.sends {
		cmd.Flags().StringVar(&p.send, "send", "", "address to which to send datagrams, for example 127.0.0.1:"+port)
		flags = append(flags, "send")
	}
	cmd.MarkFlagsOneRequired(flags...)
	cmd.MarkFlagsMutuallyExclusive(flags...)
}

// addresses returns the address of the emulator's end, and that of the program's.
func (p *place) addresses() (own, other string, err error) {
	if p.kind == wire.Frames {
		return p.can, p.can, nil
	}
	if p.kind == wire.Datagrams {
		return "udp+listen://" + p.listen, "udp://" + p.listen, nil
	}
	if p.send != "" {
		p.kind = wire.Datagrams
		return "udp://" + p.send, "udp+listen://" + p.send, nil
	}
	if p.listen != "" {
		return "tcp+listen://" + p.listen, "tcp://" + p.listen, nil
	}
	path, err := filepath.Abs(p.pty)
	return "pty://" + path, "serial://" + path, err
}

// run emulates a device until the context or a signal ends it.
func (p *place) run(ctx context.Context, out io.Writer, what string, create func(wire.Wire) driver.Emulator) error {
	own, other, err := p.addresses()
	if err != nil {
		return err
	}
	w, err := wire.New(own, p.kind)
	if err != nil {
		return err
	}
	if err := w.Open(); err != nil {
		return err
	}
	defer w.Close()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	fmt.Fprintf(out, "emulates %s at %s; Ctrl-C ends it\n", what, other)
	e := create(w)
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for last := time.Now(); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			now := time.Now() // the tick's own time may lie before the last one's on a busy machine
			if err := e.Step(min(now.Sub(last), maxLag)); err != nil {
				return fmt.Errorf("emulate %s: %w", what, err)
			}
			last = now
		}
	}
}
