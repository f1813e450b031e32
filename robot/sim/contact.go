package sim

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Contact is something that a robot touches, such as the ground. Here forces of contact enter the simulation: as
// wrenches on links, computed again in each substep.
type Contact interface {
	// Forces returns the forces on links in the state of d, whose poses and velocities are those of FKVelocity. It is
	// called once a substep and must neither change d nor allocate. The slice is valid until the next call.
	Forces(d *multibody.Data) []multibody.LinkForce
}

// AddContact adds a contact, which stays. Contacts act together and independently of each other.
func (s *Simulator) AddContact(c Contact) { s.touch = append(s.touch, c) }

// SetPush lets a force act on a link from now on: N, and N m about the origin of the link, both in the axes of the
// world. The zero force ends it. It panics on a link that the model does not have and on a force that is not finite.
func (s *Simulator) SetPush(link int, force spatial.Force) {
	if links := cap(s.pushes); link < 0 || link >= links { // it has room for all of the model
		panic(fmt.Sprintf("sim: SetPush on link %d, expected one from 0 to %d", link, links-1))
	}
	if x := force.Linear.Norm() + force.Angular.Norm(); x-x != 0 {
		panic(fmt.Sprintf("sim: SetPush with %v, expected finite numbers", force))
	}
	at := 0
	for at < len(s.pushes) && s.pushes[at].Link != link {
		at++
	}
	switch {
	case force == spatial.Force{}:
		if at < len(s.pushes) {
			last := len(s.pushes) - 1
			s.pushes[at] = s.pushes[last]
			s.pushes = s.pushes[:last]
		}
		return
	case at == len(s.pushes):
		s.pushes = s.pushes[:at+1]
	}
	s.pushes[at] = multibody.LinkForce{Link: link, Ref: multibody.Mixed, Force: force}
}

// forces sets tau to the joint forces of commands, pushes and contacts in the state (q, v).
func (s *Simulator) forces() {
	clear(s.tau)
	for i := range s.joint {
		j := &s.joint[i]
		s.tau[j.v] = j.commanded(s.q[j.q], s.v[j.v])
	}
	if len(s.pushes) > 0 {
		multibody.AddForces(s.data, s.q, s.pushes, s.tau)
	}
	if len(s.touch) > 0 {
		multibody.FKVelocity(s.data, s.q, s.v)
		for _, c := range s.touch {
			multibody.AddForces(s.data, s.q, c.Forces(s.data), s.tau)
		}
	}
}
