package main

import "github.com/sinew-robotics/sinew/net/link"

// Scheduler returns the scheduler shortest: of the waiting links that with the fewest bytes left goes first, so that a picture delays no
// command. A link that never ends keeps the longer ones waiting.
func Scheduler() link.Scheduler {
	return link.Scheduler{Name: "shortest", Doc: "The link with the fewest bytes first.", Next: shortest}
}

func shortest(waiting []link.Waiting) (next int) {
	for i := range waiting {
		if waiting[i].Bytes < waiting[next].Bytes {
			next = i
		}
	}
	return next
}
