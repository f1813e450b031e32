package shm

import (
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
)

// damageShown is how long an end reports that the memory of its link was damaged.
const damageShown = 10 * time.Second

// damage records when an end last found words in the memory of its link that no correct end writes. The end has
// resynchronized since; the affected packets are lost.
type damage struct {
	count uint64
	at    int64 // ns of CLOCK_MONOTONIC
}

// problem describes the damage while it is recent. count is how often the end has found damage so far.
func (d *damage) problem(count uint64) string {
	if count != d.count {
		d.count, d.at = count, rt.Now()
	}
	if count == 0 || rt.Now()-d.at > int64(damageShown) {
		return ""
	}
	return fmt.Sprintf("the shared memory of the link was damaged (%d times): a process of this user writes invalid data into it; "+
		"the affected packets were dropped", count)
}
