package servo

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/canopen"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// CANRobot is a robot whose axes have actuator cards that are CANopen nodes, with the operations of a [SimRobot]: cards and joints work with either.
//
//	                     ┌──────────┐
//	        readSensors  │          ├─► position, from the encoders
//	           setVolts  │ CANRobot │
//	setPower, setBrake   │          │   ⇅ CAN: objects of canopen.CardEmulator
//	                     └──────────┘
//
// Operations only read and write memory. Each step sends what they commanded and a SYNC, and reads what the cards answered to the one before. Until all cards
// answer, the sensors read 0, and commands wait. A card that is lost is an error that names it; cards without their master switch the amplifier off and apply
// the brake.
type CANRobot struct {
	Address block.Const[string]    `required:"yes" doc:"of the bus, for example can://can0"`
	Nodes   block.Const[[]int64]   `default:"[1]" min:"1" max:"126" doc:"numbers of the cards' nodes, in the order of the axes"`
	Turn    block.Const[[]float64] `required:"yes" doc:"counts of the encoder in a turn of each joint, negative where they fall as the joint moves in its positive sense"`

	Coordinate block.Const[string]    `default:"rad" doc:"unit of the positions"`
	PerTurn    block.Const[[]float64] `unit:"{Coordinate}" default:"[6.283185307179586]" min:"1e-9" doc:"movement of each joint in a turn of its gear, or one number for all joints; default: 2π, for joints that turn"`

	Position block.Out[[]float64] `unit:"{Coordinate}" show:"joint_position" doc:"positions of the joints since the start, by their encoders"`

	ReadSensors block.Operation[int64, Reading]         `doc:"sensor values of an axis"`
	SetVolts    block.Operation[AxisVolts, block.None]  `doc:"voltage of the motor of an axis, from the next step on"`
	SetPower    block.Operation[AxisSwitch, block.None] `doc:"switch the amplifier of an axis"`
	SetBrake    block.Operation[AxisSwitch, block.None] `doc:"apply or release the brake of an axis"`

	cards *canopen.Cards
	scale []float64 // movement of each joint with a count
}

// Setup makes the device.
func (r *CANRobot) Setup(s *block.Setup) error {
	ids := make([]int, len(r.Nodes.Value()))
	for i, id := range r.Nodes.Value() {
		ids[i] = int(id)
	}
	if err := canopen.CheckNodes(ids); err != nil {
		return &port.ParamError{Param: "nodes", Err: fmt.Errorf("nodes: %w", err)}
	}
	if turn := r.Turn.Value(); len(turn) != len(ids) {
		return &port.ParamError{Param: "turn", Err: fmt.Errorf("turn has length %d: expected one element for each of %d nodes", len(turn), len(ids))}
	}
	if err := r.measure(); err != nil {
		return err
	}
	cards, err := canopen.NewCards(r.Address.Value(), ids...)
	if err != nil {
		return &port.ParamError{Param: "address", Err: err}
	}
	r.cards = cards
	s.Len(len(ids), &r.Position)
	r.ReadSensors.Handle(r.readSensors)
	r.SetVolts.Handle(func(a AxisVolts) (block.None, error) {
		card, err := r.card(a.Axis)
		if err == nil {
			err = card.SetVoltage(a.Volts)
		}
		return block.None{}, err
	})
	r.SetPower.Handle(func(a AxisSwitch) (block.None, error) {
		card, err := r.card(a.Axis)
		if err == nil {
			card.SetPower(a.On)
		}
		return block.None{}, err
	})
	r.SetBrake.Handle(func(a AxisSwitch) (block.None, error) {
		card, err := r.card(a.Axis)
		if err == nil {
			card.SetBrake(a.On)
		}
		return block.None{}, err
	})
	return nil
}

// measure finds the movement of each joint with a count of its encoder.
func (r *CANRobot) measure() error {
	unit, per := r.Coordinate.Value(), r.PerTurn.Value()
	if n := len(r.Turn.Value()); len(per) != 1 && len(per) != n {
		return &port.ParamError{Param: "per_turn", Err: fmt.Errorf("per_turn has length %d: expected one element, or one for each of %d nodes", len(per), n)}
	}
	r.scale = r.scale[:0]
	for i, counts := range r.Turn.Value() {
		if !(math.Abs(counts) >= 1) {
			return &port.ParamError{Param: "turn", Err: fmt.Errorf("element %d of turn is %v: expected at least 1 count, or at most -1", i, counts)}
		}
		moved := per[min(i, len(per)-1)]
		if unit != "rad" && moved == fullTurn {
			return &port.ParamError{Param: "per_turn", Err: fmt.Errorf("coordinate is %s, but per_turn is 2π: give the movement of the joints in a turn of their gears, in %s", unit, unit)}
		}
		r.scale = append(r.scale, moved/counts)
	}
	return nil
}

// Start opens and starts the device.
func (r *CANRobot) Start() error {
	return errors.Join(r.cards.Open(), r.cards.Start())
}

// Step exchanges commands and readings with the cards.
func (r *CANRobot) Step(t clock.Tick) error {
	if err := r.cards.Step(t.Dt); err != nil {
		if f, is := err.(*device.Fault); !is || f.Why != device.ErrConnecting { // errors.Is would allocate
			return err
		}
	}
	position := *r.Position.Slot()
	for i, scale := range r.scale {
		position[i] = scale * float64(r.cards.Card(i).Counts())
	}
	r.Position.Commit()
	return nil
}

// Stop applies the brakes and switches the amplifiers off.
func (r *CANRobot) Stop() error { return r.cards.Stop() }

// Close releases the device.
func (r *CANRobot) Close() error { return r.cards.Close() }

func (r *CANRobot) card(n int64) (*canopen.Card, error) {
	if n < 1 || n > int64(r.cards.Axes()) {
		return nil, errNoAxis
	}
	return r.cards.Card(int(n - 1)), nil
}

func (r *CANRobot) readSensors(n int64) (Reading, error) {
	card, err := r.card(n)
	if err != nil {
		return Reading{}, err
	}
	index, marked := card.Index()
	return Reading{Counts: card.Counts(), Index: index, Marked: marked, Held: card.Held()}, nil
}
