package hexapod

import "testing"

// TestContactsCarryTheWeight checks the forces that the console draws: on the belly while the machine lies, on the
// feet while it walks; on average they equal its weight.
func TestContactsCarryTheWeight(t *testing.T) {
	try(t, func(r *trial) {
		weight := r.Robot.sim.Model().Mass() * 9.81
		r.wait(1)
		feet, belly := r.carried(t)
		near(t, "force on the belly of a machine that lies", belly, weight, 0.01*weight)
		near(t, "force on its feet", feet, 0, 0.01*weight)
		r.stand()
		r.order(func() error { return r.Locomotion.walk(Velocity{VX: 0.08, YawRate: 0.1}) })
		r.wait(2)
		const samples = 400
		mean := 0.0
		for range samples {
			r.wait(0.02)
			feet, belly := r.carried(t)
			if belly != 0 {
				t.Fatalf("the ground carries the belly of a machine that walks: %v N", belly)
			}
			mean += feet / samples
		}
		near(t, "mean force on the feet of a machine that walks", mean, weight, 0.02*weight)
	})
}

// carried returns the sum of the forces upwards on the feet and on the belly.
func (r *trial) carried(t *testing.T) (feet, belly float64) {
	t.Helper()
	for i, c := range r.Robot.Contacts.Value() {
		if c.Force[2] < 0 || c.Force[2] > 0 && c.Point[2] > 0 {
			t.Errorf("contact %d: a force of %v N at %v m", i, c.Force, c.Point)
		}
		if i < len(Legs) {
			feet += c.Force[2]
		} else {
			belly += c.Force[2]
		}
	}
	return feet, belly
}
