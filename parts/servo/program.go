package servo

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/parts/robotfile"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/program"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Program executes programs of moves ([program.Program]: moveJ, moveL, moveC, movePath, dwell, set) in the control cycle. All joints keep their limits of
// velocity, acceleration and jerk at every step, while a program runs, when it is paused, goes back, or changes its speed:
//
//	|q'| ≤ max_velocity,   |q''| ≤ max_acceleration,   |q'''| ≤ max_jerk
//
//	             ┌─────────┐
//	measured ──► │ Program ├─► position, velocity, acceleration
//	             │         ├─► outputs, loaded, state, move, progress, rate, wanted_rate
//	             └─────────┘
//	   run, runPath, outcome, pause, resume, back, stop, override
//
// Run reads a file of programs as it is now, by its number from 1, and compiles its motion from where the joints are, in a goroutine beside the control thread;
// state is 1 meanwhile. A program that cannot be executed is not begun: state is 6, the event failed has the line of the file, and the operation outcome fails with
// the reason. With initial, the programs are compiled from there before the system starts, and mistakes are errors then; autostart needs no further time, and a later run
// that begins at initial compiles a program only if its file has changed, or a limit.
//
// AddPoint and runPath run a path that comes by operations, as that of a planner: a movePath from where the joints are through the points, at the full limits of
// the joints. Its corners are rounded from 10 mm of the tool, or half of the way to the neighbouring points, so a path that bends between its points is followed where these are dense.
//
// Between attach and detach of a program loaded is true, also on the way back along the path, for blocks that measure distances with what the robot carries, as
// motion.Monitor. They grip nothing: a gripper follows an output that the program sets.
//
// Pause brings the joints to rest on their path, resume goes on; back goes back along the path to the stop before. Stop is a pause after which the program cannot go on. Override sets
// the speed from 0 to 1 of that programmed.
//
// Where measured is linked, the joints begin where they are, otherwise at initial. Elements are in the order of the model: depth first, and by name where links branch.
// measured has those of all joints that are not locked, also where joints selects some. A program counts the others as resting where they are when it begins; without
// measured, at 0 or the limit nearest to it. The limits of position and velocity are those of the description; max_velocity, where it is not 0, replaces the latter.
type Program struct {
	URDF       block.Const[string]    `required:"yes" doc:"file of the robot's links and joints"`
	SRDF       block.Const[string]    `doc:"file of groups of its joints, and of the states that a moveJ names; default: none"`
	Locked     block.Const[[]string]  `doc:"joints that do not move, as name or name=position [rad or m]"`
	Joints     block.Const[[]string]  `doc:"joints to move, each by name or by a group of the SRDF file; default: all"`
	Coordinate block.Const[string]    `default:"rad" doc:"unit of the positions: rad, or m where all joints slide; with rad, elements of joints that slide are in m"`
	Programs   block.Const[[]string]  `required:"yes" file:"program" doc:"files of programs, which run names by their number from 1"`
	Names      block.Const[[]string]  `name:"output_names" doc:"names of the outputs that programs set, in the order of the elements of outputs; default: none"`
	Initial    block.Const[[]float64] `unit:"{Coordinate}" doc:"positions from which the programs are compiled before the system starts, and first positions if measured is not linked; default: none"`
	Autostart  block.Const[bool]      `doc:"run the first program when the system starts"`

	VelocityLimit     block.Param[[]float64] `name:"max_velocity" unit:"{Coordinate}/s" default:"[0]" min:"0" spread:"yes" doc:"greatest velocities: one, or one for each joint; 0: that of the description; from the next run on"`
	AccelerationLimit block.Param[[]float64] `name:"max_acceleration" unit:"{Coordinate}/s²" default:"[5]" min:"0.001" spread:"yes" doc:"greatest accelerations: one, or one for each joint; from the next run on"`
	JerkLimit         block.Param[[]float64] `name:"max_jerk" unit:"{Coordinate}/s³" default:"[50]" min:"0.001" spread:"yes" doc:"greatest jerks: one, or one for each joint; from the next run on"`

	Measured block.In[[]float64] `unit:"{Coordinate}" doc:"measured positions, where the joints begin; without a link they begin at initial"`

	Position     block.Out[[]float64] `unit:"{Coordinate}" show:"joint_desired" doc:"planned positions"`
	Velocity     block.Out[[]float64] `unit:"{Coordinate}/s" doc:"planned velocities"`
	Acceleration block.Out[[]float64] `unit:"{Coordinate}/s²" doc:"planned accelerations"`
	Outputs      block.Out[[]float64] `doc:"values that programs have set; 0 before"`
	Loaded       block.Out[bool]      `doc:"the tool carries an object: between attach and detach, and after a program that ends in between"`
	State        block.Out[int64]     `watch:"yes" doc:"0: no program, 1: compiling, 2: running, 3: going back, 4: paused, 5: ended, 6: failed, 7: stopped"`
	Number       block.Out[int64]     `name:"move" doc:"number of the move under way, from 1; 0: none"`
	Progress     block.Out[float64]   `doc:"part of the program's time that is done, from 0 to 1"`
	Rate         block.Out[float64]   `doc:"present speed as a share of that programmed; negative while it goes back"`
	WantedRate   block.Out[float64]   `doc:"speed that override has set, as a share of that programmed, from 0 to 1"`

	Run      block.Operation[ProgramNumber, block.None]  `doc:"compile a program from where the joints are, and run it"`
	Outcome  block.Operation[block.None, ProgramOutcome] `show:"joint_path_outcome" doc:"outcome of the last run or runPath; fails with the reason if the motion cannot be executed"`
	Pause    block.Operation[block.None, block.None]     `doc:"come to rest on the path"`
	Resume   block.Operation[block.None, block.None]     `doc:"go on after pause or back"`
	Back     block.Operation[block.None, block.None]     `doc:"go back along the path to the stop before, and pause there"`
	Halt     block.Operation[block.None, block.None]     `name:"stop" doc:"come to rest on the path, and end the program"`
	Override block.Operation[SpeedShare, block.None]     `doc:"set the speed as a share of that programmed"`

	AddPoint block.Operation[PathPoint, block.None]  `unit:"{Coordinate}" show:"joint_point" doc:"add a point to the path that runPath runs, which has at most 512"`
	RunPath  block.Operation[block.None, block.None] `show:"joint_path" doc:"run a movePath from where the joints are through the points of the path, which are forgotten"`

	Failed block.Event[ProgramFailure] `doc:"a program cannot be executed"`

	files    fs.FS
	semantic *description.Semantic // of the SRDF file; nil: there is none
	axes     axes                  // of the joints that programs move
	all      axes                  // of all joints
	usually  []float64             // positions of all joints with which the programs were compiled
	ready    []prepared            // of the programs, from initial
	player   *program.Player
	state    int64
	problem  error     // why the last motion asked for could not be compiled
	rest     []float64 // positions while no program runs
	values   []float64 // of outputs
	states   []trajectory.State
	points   []float64 // of the path that operations make, one after another
	speed    float64
	usual    float64 // time between the last two steps, s
	begun    bool
	desk     desk
	finished chan struct{}
	quit     chan struct{}
}

// ProgramNumber selects a program.
type ProgramNumber struct {
	Program int64 `doc:"number of the file in programs, from 1"`
}

// ProgramOutcome is what has become of the last run or runPath.
type ProgramOutcome struct {
	Begun bool `doc:"false while the motion is being compiled"`
}

// SpeedShare is a speed.
type SpeedShare struct {
	Speed float64 `doc:"share of the programmed speed, from 0 to 1"`
}

// ProgramFailure is where a program cannot be executed.
type ProgramFailure struct {
	Line int64   `doc:"of the file; 0: unknown"`
	Move int64   `doc:"number of the move, from 1; 0: the file could not be read"`
	S    float64 `unit:"m" doc:"way along the move; negative: it has no place there"`
}

// States of a Program.
const (
	stateNone int64 = iota
	stateCompiling
	stateRunning
	stateBack
	statePaused
	stateEnded
	stateFailed
	stateStopped
)

// Errors of operations.
var (
	errNoProgram      = errors.New("run: there is no program of this number: it counts from 1 to the number of files in programs")
	errProgramMoves   = errors.New("run: the joints still move: pause or stop, and run when they rest")
	errCompiling      = errors.New("run: another program is being compiled: wait until state is no longer 1")
	errNoneRuns       = errors.New("no program is under way: run one first")
	errShare          = errors.New("override: speed must be from 0 to 1")
	errNoneAsked      = errors.New("outcome: no program was asked for since the start: call run or runPath first")
	errProgramUnbegun = errors.New("run: measured is linked, but no position has come yet")
)

// Setup reads robot and programs, and compiles these from initial.
func (p *Program) Setup(s *block.Setup) error {
	var err error
	f := robotfile.Constants{URDF: p.URDF.Value(), SRDF: p.SRDF.Value(), Locked: p.Locked.Value(), Joints: p.Joints.Value(), Coordinate: p.Coordinate.Value()}
	if p.axes, err = readAxes(s, f, 0); err != nil {
		return err
	}
	if p.all, err = readAxes(s, robotfile.Constants{URDF: f.URDF, Locked: f.Locked}, 0); err != nil {
		return err
	}
	if !slices.IsSorted(p.axes.at) {
		return fmt.Errorf("joints is %q, and a program counts its joints in the order of the robot: give them in that of %q", p.axes.names, p.all.names)
	}
	n := len(p.axes.lower)
	p.files = s.Files()
	if f.SRDF != "" {
		if p.semantic, err = description.ReadSRDF(p.files, f.SRDF, description.Options{}); err != nil {
			return err
		}
	}
	s.Len(p.axes.robot, &p.Measured)
	s.Len(n, &p.Position, &p.Velocity, &p.Acceleration)
	s.Len(len(p.Names.Value()), &p.Outputs)
	if len(p.Names.Value()) == 0 {
		s.Omit("its parameter output_names is empty", &p.Outputs)
	}
	p.rest, p.values, p.states = make([]float64, n), make([]float64, len(p.Names.Value())), make([]trajectory.State, n)
	p.desk.start, p.desk.held, p.desk.limits, p.speed = make([]float64, n), make([]float64, p.axes.robot), make([]trajectory.Limits, n), 1
	p.usually = make([]float64, p.axes.robot)
	for i := range p.usually {
		p.usually[i] = p.all.within(i, 0)
	}
	p.Run.Handle(p.run)
	p.Outcome.Handle(p.outcome)
	p.Pause.Handle(p.pause)
	p.Resume.Handle(p.resume)
	p.Back.Handle(p.back)
	p.Halt.Handle(p.stop)
	p.Override.Handle(p.override)
	s.Len(n, &p.AddPoint)
	p.points, p.desk.points = make([]float64, 0, mostPoints*n), make([]float64, 0, mostPoints*n)
	p.AddPoint.Handle(p.addPoint)
	p.RunPath.Handle(p.runPath)
	err = errors.Join(spread("max_velocity", &p.VelocityLimit, n, "joints"), spread("max_acceleration", &p.AccelerationLimit, n, "joints"), spread("max_jerk", &p.JerkLimit, n, "joints"))
	if err != nil {
		return err
	}
	if err := p.axes.checkVelocity(p.VelocityLimit.Value()); err != nil {
		return err
	}
	return p.prepare(n)
}

// prepare reads all programs, and compiles them where initial is given.
func (p *Program) prepare(n int) error {
	initial := p.Initial.Value()
	if len(initial) != 0 && len(initial) != n {
		return fmt.Errorf("initial has length %d: wants one element for each of the joints (%d)", len(initial), n)
	}
	if err := p.axes.check("initial", initial); err != nil {
		return err
	}
	p.ready = make([]prepared, len(p.Programs.Value()))
	if len(p.ready) == 0 {
		return errors.New("programs is empty: wants the file of at least one program")
	}
	limits := make([]trajectory.Limits, n)
	p.limits(limits)
	var faults []error
	for k, file := range p.Programs.Value() {
		var err error
		if len(initial) == 0 {
			_, err = p.read(p.files, file)
		} else {
			p.ready[k], err = p.prepared(file, initial, limits)
		}
		faults = append(faults, fileErrors(err))
	}
	return errors.Join(faults...)
}

// limits writes the limits of the joints.
func (p *Program) limits(to []trajectory.Limits) {
	for i := range to {
		to[i] = trajectory.Limits{Velocity: p.axes.velocityOf(i, p.VelocityLimit.Value()), Acceleration: p.AccelerationLimit.Value()[i], Jerk: p.JerkLimit.Value()[i]}
	}
}

// Start begins at rest, and starts the goroutine that compiles; Close ends it.
func (p *Program) Start() error {
	p.Restart()
	if p.quit == nil {
		p.quit, p.finished = make(chan struct{}), make(chan struct{})
		go p.serve(p.quit, p.finished)
	}
	return nil
}

// Restart forgets the program under way.
func (p *Program) Restart() {
	p.begun, p.player, p.state, p.problem, p.points = false, nil, stateNone, nil, p.points[:0]
}

// Close ends the goroutine that compiles.
func (p *Program) Close() error {
	if p.quit != nil {
		close(p.quit)
		<-p.finished
		p.quit = nil
	}
	return nil
}

// begin takes the first positions, and reports whether they are known.
func (p *Program) begin() bool {
	if p.begun {
		return true
	}
	q, status := p.Measured.Read()
	switch {
	case status != block.NoData:
		for i := range p.rest {
			p.rest[i] = q[p.axes.at[i]]
		}
	case p.Measured.Linked():
		return false
	case len(p.Initial.Value()) > 0:
		copy(p.rest, p.Initial.Value())
	default:
		for i := range p.rest {
			p.rest[i] = p.axes.within(i, 0)
		}
	}
	p.begun = true
	if p.Autostart.Value() {
		if player := p.ready[0].player; player != nil && slices.Equal(p.rest, p.Initial.Value()) && p.othersRest() {
			p.ready[0].player = nil // a player runs once
			p.play(player)
		} else {
			_ = p.ask(0) // nothing moves or is compiled yet
		}
	}
	return true
}

func (p *Program) run(n ProgramNumber) (block.None, error) {
	if n.Program < 1 || n.Program > int64(len(p.ready)) {
		return block.None{}, errNoProgram
	}
	if !p.begin() {
		return block.None{}, errProgramUnbegun
	}
	return block.None{}, p.ask(int(n.Program - 1))
}

// ask asks for the compilation of a program from where the joints are.
func (p *Program) ask(k int) error {
	switch {
	case p.player != nil && !p.player.Resting():
		return errProgramMoves
	case p.state == stateCompiling || p.desk.status.Load() != deskFree:
		return errCompiling
	}
	p.hold()
	p.request(k)
	return nil
}

// outcome returns whether the motion that was asked for last has begun.
func (p *Program) outcome(block.None) (ProgramOutcome, error) {
	switch {
	case p.problem != nil:
		return ProgramOutcome{}, p.problem
	case p.state == stateNone:
		return ProgramOutcome{}, errNoneAsked
	}
	return ProgramOutcome{p.state != stateCompiling}, nil
}

// hold notes where the joints that programs do not move are.
func (p *Program) hold() {
	held := p.desk.held
	copy(held, p.usually)
	if q, status := p.Measured.Read(); status != block.NoData {
		copy(held, q)
	}
}

// request leaves the index of a program, or with -1 the points of the path, for the compiling goroutine.
func (p *Program) request(k int) {
	d := &p.desk
	d.program = k
	copy(d.start, p.rest)
	p.limits(d.limits)
	p.player, p.state, p.problem = nil, stateCompiling, nil
	d.status.Store(deskAsked)
}

// othersRest reports whether the joints that programs do not move are where they were when these were compiled.
func (p *Program) othersRest() bool {
	for k, q := range p.desk.held {
		if q != p.usually[k] && !slices.Contains(p.axes.at, k) {
			return false
		}
	}
	return true
}

// play begins a compiled program.
func (p *Program) play(player *program.Player) {
	p.player, p.state = player, stateRunning
	p.player.Override(p.speed)
}

func (p *Program) steer(f func(*program.Player)) (block.None, error) {
	if p.player == nil || p.state == stateEnded || p.state == stateStopped {
		return block.None{}, errNoneRuns
	}
	f(p.player)
	return block.None{}, nil
}

func (p *Program) pause(block.None) (block.None, error)  { return p.steer((*program.Player).Pause) }
func (p *Program) resume(block.None) (block.None, error) { return p.steer((*program.Player).Resume) }
func (p *Program) back(block.None) (block.None, error)   { return p.steer((*program.Player).Back) }

func (p *Program) stop(block.None) (block.None, error) {
	_, err := p.steer((*program.Player).Pause)
	if err == nil {
		p.state = stateStopped
	}
	return block.None{}, err
}

func (p *Program) override(s SpeedShare) (block.None, error) {
	if !(s.Speed >= 0 && s.Speed <= 1) {
		return block.None{}, errShare
	}
	if p.speed = s.Speed; p.player != nil {
		p.player.Override(p.speed)
	}
	return block.None{}, nil
}

// Step moves on.
func (p *Program) Step(t clock.Tick) error {
	if !p.begin() {
		return nil
	}
	dt := t.Seconds()
	if dt > interruption && dt > 3*p.usual && p.usual > 0 { // as when the block was disabled: the joints are elsewhere
		p.Restart()
		p.usual = dt
		return nil
	}
	p.usual = dt
	p.answer()
	if p.player != nil && dt > 0 {
		status := p.player.Step(dt, p.states)
		if p.state != stateStopped {
			p.state = [...]int64{program.Running: stateRunning, program.Backing: stateBack, program.Paused: statePaused, program.Ended: stateEnded}[status]
		}
		for c, ok := p.player.Passed(); ok; c, ok = p.player.Passed() {
			p.values[slices.Index(p.Names.Value(), c.Name)] = c.Value
		}
		for i := range p.rest {
			p.rest[i] = p.states[i].Position
		}
	}
	p.write()
	return nil
}

// answer takes what the compiling goroutine has made.
func (p *Program) answer() {
	d := &p.desk
	if d.status.Load() != deskAnswered {
		return
	}
	player, failure, problem := d.player, d.failure, d.problem
	d.player = nil
	d.status.Store(deskFree)
	switch {
	case p.state != stateCompiling || !slices.Equal(p.rest, d.start): // restarted meanwhile
	case player == nil:
		p.state, p.problem = stateFailed, problem
		p.Failed.Emit(failure)
	default:
		p.play(player)
	}
}

// write writes the planned state.
func (p *Program) write() {
	q, v, a := *p.Position.Slot(), *p.Velocity.Slot(), *p.Acceleration.Slot()
	number, progress, rate, loaded := int64(0), 0.0, 0.0, false
	clear(v)
	clear(a)
	copy(q, p.rest)
	if p.player != nil {
		for i, s := range p.states {
			v[i], a[i] = s.Velocity, s.Acceleration
		}
		m := p.player.Motion()
		if k := m.PartAt(p.player.Time()); k >= 0 && p.state != stateEnded {
			number = int64(m.Parts[k].Move) + 1
		}
		progress, rate, loaded = p.player.Time()/m.Duration(), p.player.Rate(), m.Carrying(p.player.Time()) > 0
	}
	p.Position.Commit()
	p.Velocity.Commit()
	p.Acceleration.Commit()
	if len(p.values) > 0 {
		p.Outputs.Write(p.values)
	}
	p.Loaded.Write(loaded)
	p.State.Write(p.state)
	p.Number.Write(number)
	p.Progress.Write(progress)
	p.Rate.Write(rate)
	p.WantedRate.Write(p.speed)
}
