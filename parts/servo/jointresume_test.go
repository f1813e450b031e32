package servo

import (
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// markCard is a card behind the ports of a joint, with an index mark.
type markCard struct {
	Counts, Index block.Out[int64]

	counts, index int64
	marked        bool
}

func (c *markCard) Step(clock.Tick) error {
	c.Counts.Write(c.counts)
	if c.marked {
		c.Index.Write(c.index)
	}
	return nil
}

// resumeRun runs a joint of 1000 counts a turn of the joint, with marks every tenth of a turn, for n steps.
func resumeRun(t *testing.T, place jointPlace, resume bool, n int, card *markCard, before func(k int)) (*Joint, []string) {
	t.Helper()
	joint := &Joint{Resume: block.NewConst(resume), GearRatio: block.NewParam(10.0), Resolution: block.NewParam(100.0), InitialPos: block.NewParam(0.5), place: place}
	r := newRig(t)
	r.add("card", card)
	r.add("sampler", &Sampler{})
	r.add("joint", joint, "sampler.sample -> joint.sample", "sampler.sample -> joint.act", "card.counts -> joint.displacement_sensor", "card.index -> joint.index_sensor")
	var whys []string
	for _, f := range r.run(n, func(k int) {
		joint.Voltage.Feed(1)
		before(k)
	}, nil) {
		whys = append(whys, f.Why)
	}
	return joint, whys
}

// turn is the movement of the joint for a number of counts.
func turn(counts float64) float64 { return 2 * math.Pi * counts / 1000 }

func TestJointResumesTheAngleOfTheRunBefore(t *testing.T) {
	for _, c := range []struct {
		what   string
		resume bool
		place  jointPlace
		first  int64 // counts at the first reading
		want   float64
	}{
		{"the encoder has lost its counts", true, jointPlace{Angle: 2, Known: true}, 0, 2},
		{"the encoder has kept its counts", true, jointPlace{Angle: 2, Known: true}, 239, 2},
		{"nothing is known", true, jointPlace{}, 239, 0.5 + turn(239)},
		{"the joint does not resume", false, jointPlace{Angle: 2, Known: true}, 239, 0.5 + turn(239)},
	} {
		card := &markCard{}
		joint, faults := resumeRun(t, c.place, c.resume, 20, card, func(k int) { card.counts = c.first + int64(k) })
		if got, want := joint.Position.Value(), c.want+turn(19); math.Abs(got-want) > 1e-12 || len(faults) > 0 {
			t.Errorf("%s: the joint is at %v, expected %v; faults %v", c.what, got, want, faults)
		}
		if c.resume && (math.Abs(joint.place.Angle-joint.Position.Value()) > 0 || !joint.place.Known) {
			t.Errorf("%s: kept is %+v, the joint is at %v", c.what, joint.place, joint.Position.Value())
		}
	}
}

func TestFirstIndexMarkShowsWhetherAResumedJointHasMoved(t *testing.T) {
	for _, c := range []struct {
		what  string
		moved float64 // counts, while nothing ran
		fault bool
	}{
		{"it has not moved", 0, false}, {"within the tolerance", 9, false}, {"by a tenth of a turn of the motor and more", 12, true},
		{"backward", -40, true}, {"by a turn of the motor, which no mark shows", 100, false}, {"by more than a turn", 130, true},
	} {
		place := jointPlace{Angle: 2, Known: true, Mark: 2 - turn(30), Marked: true} // a mark lies 70 counts ahead
		card := &markCard{}
		joint, faults := resumeRun(t, place, true, 120, card, func(k int) {
			card.counts = int64(k)
			card.index, card.marked = int64(70-math.Mod(c.moved, 100)), k == 110
		})
		if fault := len(faults) == 1 && strings.Contains(faults[0], "the joint has moved since"); fault != c.fault || len(faults) > 1 {
			t.Errorf("%s: faults %v", c.what, faults)
		}
		off := math.Remainder(joint.place.Mark-place.Mark, turn(100))
		if c.fault && math.Abs(off) > 1e-9 {
			t.Errorf("%s: the mark lies %v rad beside where marks are", c.what, off)
		}
		if c.fault && (joint.Power.Value() || joint.VoltageActuator.Value() != 0) {
			t.Errorf("%s: the joint is not at rest", c.what)
		}
	}
}
