package devicetest

import (
	"errors"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
)

// stepping is a device of which the suite counts the allocations; those of every eighth step are kept.
type stepping struct {
	device.Device
	allocates bool
	n         int
	kept      []*int
	fails     error
}

func (s *stepping) Step(time.Duration) error {
	if s.n++; s.allocates && s.n%8 == 0 {
		s.kept = append(s.kept, new(int))
	}
	return s.fails
}

// One allocation in many steps is found in every round, so a driver that allocates now and then does not pass by luck.
func TestStepsThatAllocateNowAndThenAreFoundInEachRound(t *testing.T) {
	for range allocationRounds {
		s := Subject{Device: &stepping{allocates: true}}
		if n := s.allocations(); n < 200/8 {
			t.Errorf("found %d allocations of 200 steps, want at least %d", n, 200/8)
		}
	}
	quiet := false
	for range allocationRounds {
		s := Subject{Device: &stepping{}}
		quiet = quiet || s.allocations() == 0
	}
	if !quiet {
		t.Error("steps that allocate nothing do not pass in any round")
	}
}

// facets is a device that is sensor and drive at once.
type facets struct {
	device.Device
	device.JointPositionSensor
	device.VoltageDrive
}

func TestFacetsOfDeviceAndPartsAreFoundOnce(t *testing.T) {
	part := &facets{}
	s := Subject{Device: &facets{}, Parts: []any{part}}
	found := 0
	for _, p := range s.parts() {
		if _, ok := p.(device.JointPositionSensor); ok {
			found++
		}
	}
	if found != 2 {
		t.Errorf("found %d of the two position sensors: %v", found, s.parts())
	}
	failing := Subject{Device: &stepping{fails: errors.New("no answer")}}
	if failing.allocations(); failing.Device.(*stepping).n != 1 {
		t.Error("a device that fails is stepped further")
	}
}
