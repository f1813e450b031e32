package fleet

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/deploy"
)

// noteTimeout is how long a process may take to keep what its supervisor has done.
const noteTimeout = 5 * time.Second

// maxKept is how many notes are sent again when the process that kept them has ended.
const maxKept = 64

// publishNotes returns what makes the doings of a supervisor events of its system, as a client of the control plane. One process of the
// system keeps them; after its end another one gets the newest again.
func publishNotes(system string) deploy.Publish {
	run, keeper := rand.Text(), ""
	var kept []deploy.Note
	return func(ctx context.Context, notes []deploy.Note) (count int, err error) {
		client, err := nats.Dial(system)
		if err != nil {
			return 0, err
		}
		defer client.Close()
		ctx, cancel := context.WithTimeout(ctx, noteTimeout)
		defer cancel()
		if now := client.Keeper(); now != keeper {
			for _, n := range kept {
				if err := client.Note(ctx, run, n.At, n.Text); err != nil {
					return 0, err
				}
			}
			keeper = now
		}
		for _, n := range notes {
			if err := client.Note(ctx, run, n.At, n.Text); err != nil {
				return count, err
			}
			kept = append(kept[max(0, len(kept)-maxKept+1):], n)
			count++
		}
		return count, nil
	}
}
