package deploy

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Note is what a supervisor has done, as its log has it.
type Note struct {
	At   time.Time // by the clock of its host; later in each note
	Text string    // begins with the process that it is about, where it is about one
}

// Publish makes notes known, oldest first. It returns how many it has made known before an error.
type Publish func(ctx context.Context, notes []Note) (count int, err error)

const (
	maxNotes  = 64          // that wait to be published; the oldest are dropped and counted
	notePause = time.Second // before notes that could not be published are tried again
)

// noteQueue keeps the notes of a supervisor until they are published: while no process of the system runs, nothing can keep them.
type noteQueue struct {
	mu      sync.Mutex
	waiting []Note
	dropped int // since the last that was published
	latest  time.Time
	more    chan struct{} // holds one when notes wait
}

func newNoteQueue() *noteQueue { return &noteQueue{more: make(chan struct{}, 1)} }

// add puts a note at the end.
func (q *noteQueue) add(at time.Time, text string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if at = at.Round(0); !at.After(q.latest) {
		at = q.latest.Add(1)
	}
	q.latest = at
	if len(q.waiting) == maxNotes {
		q.waiting = q.waiting[1:]
		q.dropped++
	}
	q.waiting = append(q.waiting, Note{at, text})
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// all returns the notes that wait, before them one about those that were dropped.
func (q *noteQueue) all() []Note {
	q.mu.Lock()
	defer q.mu.Unlock()
	notes := append([]Note(nil), q.waiting...)
	if q.dropped > 0 {
		first := Note{notes[0].At.Add(-1), fmt.Sprintf("%d earlier events of the supervisor were dropped: sinew logs shows them", q.dropped)}
		notes = append([]Note{first}, notes...)
	}
	return notes
}

// published removes the first of the notes that all has returned.
func (q *noteQueue) published(notes []Note) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(notes) > 0 {
		q.dropped = 0
	}
	for _, n := range notes {
		if len(q.waiting) > 0 && q.waiting[0].At.Equal(n.At) {
			q.waiting = q.waiting[1:]
		}
	}
}

// run publishes notes until the context ends. After a failure it waits for a tick of again.
func (q *noteQueue) run(ctx context.Context, publish Publish, again func() <-chan time.Time) {
	for {
		select {
		case <-q.more:
		case <-ctx.Done():
			return
		}
		for notes := q.all(); len(notes) > 0; notes = q.all() {
			count, err := publish(ctx, notes)
			q.published(notes[:count])
			if err == nil {
				continue
			}
			select {
			case <-again():
			case <-ctx.Done():
				return
			}
		}
	}
}
