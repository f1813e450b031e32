package canopen

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/device/wire"
)

// profile implements the interface of that name, as the next methods.
func (d *Drive) profile() uint16 { return profileDrive }

func (d *Drive) settings(l *link) []setting {
	list := []setting{
		read(&d.modes, true, supportedModes, 0),
		read(&d.greatestTorque, true, maxTorque, 0),
		read(&d.ratedCurrent, true, ratedCurrent, 0),
		read(&d.ratedTorque, true, ratedTorque, 0),
		read(&d.leastPosition, true, positionLimits, 1),
		read(&d.greatestPosition, true, positionLimits, 2),
		written(true, abortOption, 0, 2, 2), // disable voltage when the connection ends
		{index: interpolationTime, sub: 1, bytes: 1, into: &l.chain.milliseconds, optional: true},
		written(true, interpolationTime, 2, 1, 0xfd), // 10⁻³ s
	}
	return slices.Concat(list,
		l.mapped(rpdoParameters, rpdoMapping, 1, rpdo, controlword<<16|16, modeOfOperation<<16|8, targetTorque<<16|16),
		l.mapped(rpdoParameters, rpdoMapping, 2, rpdo, targetPosition<<16|32, targetVelocity<<16|32),
		l.mapped(tpdoParameters, tpdoMapping, 1, tpdo, statusword<<16|16, modeDisplay<<16|8, torqueActual<<16|16, currentActual<<16|16),
		l.mapped(tpdoParameters, tpdoMapping, 2, tpdo, positionActual<<16|32, velocityActual<<16|32),
		l.mapped(tpdoParameters, tpdoMapping, 3, tpdo),
		l.mapped(tpdoParameters, tpdoMapping, 4, tpdo))
}

func (d *Drive) reset() {
	nan := math.NaN()
	d.status, d.control, d.mode = 0, 0, NoMode
	d.modes, d.greatestTorque, d.ratedCurrent, d.ratedTorque = 1<<(CyclicPosition-1)|1<<(CyclicVelocity-1)|1<<(CyclicTorque-1), 1000, 0, 0
	d.leastPosition, d.greatestPosition = 0, 0
	d.position, d.velocity, d.torque, d.current = nan, nan, nan, nan
}

func (d *Drive) release() { d.chain.master.Send(d.link.remote.id, 1, []byte{0, 0, 0, 0, 0}) }

func (d *Drive) ready() bool {
	s, ok := StateOf(d.status)
	return ok && s != NotReadyToSwitchOn
}

func (d *Drive) failed() error {
	if s := d.State(); s != Fault && s != FaultReactionActive {
		return nil
	}
	d.fault = FaultError{Node: d.link.remote.id}
	if e := d.link.remote.Emergency(); e != nil {
		d.fault.Emergency = e.Code
	}
	return &d.fault
}

func (d *Drive) take(number int, f *wire.Frame) bool {
	b := f.Bytes()
	switch {
	case number == 1 && len(b) == 7:
		d.status, d.shows = binary.LittleEndian.Uint16(b), Mode(b[2])
		d.torque, d.current = math.NaN(), math.NaN()
		if d.ratedTorque > 0 {
			d.torque = permille(b[3:], d.ratedTorque)
		}
		if d.ratedCurrent > 0 {
			d.current = permille(b[5:], d.ratedCurrent)
		}
		return true
	case number == 2 && len(b) == 8:
		d.position = float64(int32(binary.LittleEndian.Uint32(b))) * d.increment()
		d.velocity = float64(int32(binary.LittleEndian.Uint32(b[4:]))) * d.increment()
		return true
	}
	return false
}

// permille returns thousandths of a rated value in thousandths.
func permille(b []byte, rated uint32) float64 {
	return float64(int16(binary.LittleEndian.Uint16(b))) * float64(rated) / 1e6
}

func (d *Drive) command() {
	s := d.State()
	before := d.control
	switch d.control = DisableVoltage; {
	case s == Fault && !d.chain.known && before&FaultReset == 0:
		d.control = FaultReset
	case d.mode != NoMode:
		d.control = Enabling(s)
	}
	goal := d.goalPosition
	if s != OperationEnabled || d.shows != CyclicPosition || d.mode != CyclicPosition {
		goal = d.position // a drive begins where it is
	}
	torque := 0.0
	if d.mode == CyclicTorque && d.ratedTorque > 0 {
		torque = d.goalTorque * 1e6 / float64(d.ratedTorque)
	}
	velocity := 0.0
	if d.mode == CyclicVelocity {
		velocity = d.goalVelocity / d.increment()
	}
	var b [8]byte
	binary.LittleEndian.PutUint16(b[:], d.control)
	b[2] = byte(d.mode)
	binary.LittleEndian.PutUint16(b[3:], uint16(whole(torque, math.MinInt16, math.MaxInt16)))
	d.chain.master.Send(d.link.remote.id, 1, b[:5])
	binary.LittleEndian.PutUint32(b[:], uint32(whole(goal/d.increment(), math.MinInt32, math.MaxInt32)))
	binary.LittleEndian.PutUint32(b[4:], uint32(whole(velocity, math.MinInt32, math.MaxInt32)))
	d.chain.master.Send(d.link.remote.id, 2, b[:])
}

// whole returns the nearest whole number within limits; 0 for NaN.
func whole(x, least, greatest float64) int32 {
	if x != x {
		return 0
	}
	return int32(math.Round(min(max(x, least), greatest)))
}
