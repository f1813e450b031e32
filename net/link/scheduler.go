package link

import (
	"fmt"
	"time"
)

// Scheduler decides which link a carrier that has no room for all of them sends first. A program registers it beside its blocks; system files name
// it with the key scheduler of the deploy section (FAST-Robots, 2003, section 5: "the architecture therefore allows the
// exchange of the network communication scheduler").
type Scheduler struct {
	// Name is the scheduler's name in system files, as in priority: letters, digits, - and _.
	Name string
	// Doc is one sentence, for messages and help.
	Doc string
	// Next returns the index of the link, among those to one other host, that sends a datagram next. It is called when there may be room and
	// at least one waits. It neither waits nor allocates, does not keep the slice, and may be called for several hosts at once.
	Next func(waiting []Waiting) int
}

// Waiting is a link whose packet, or a part of it, waits for room.
type Waiting struct {
	Spec  *Spec         // of the link, with its Priority; the links are in the order of their names
	Bytes int           // of the packet that wait
	Age   time.Duration // of the packet
	Last  uint64        // number of its last datagram among all to the host; 0: it has sent none
}

// Validate returns what is wrong with the declaration of a scheduler.
func (s *Scheduler) Validate() error {
	if err := checkName("scheduler", s.Name); err != nil || s.Next != nil {
		return err
	}
	return fmt.Errorf("scheduler %s has no Next", s.Name)
}
