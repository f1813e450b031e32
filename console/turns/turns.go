// Package turns shares out work that takes much processor time or memory, so that no user of the console keeps others waiting.
//
//	requests ──► a queue for each user ──► users in turn ──► a limit for all, and one for each user
//
// [Turns] let a number of requests work at the same time, and fewer of one user. Of users that wait, each has a turn before one has the next.
//
// Goroutines: none. [Turns] are safe for concurrent use.
package turns

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/sinew-robotics/sinew/net/admin"
)

// Turns limit how many requests work at the same time.
type Turns struct {
	most, ofUser int

	mu      sync.Mutex
	working int
	users   map[string]*user
	order   []string // users with requests that wait, the next one first
}

// user are the requests of one user.
type user struct {
	working int
	waiting []chan struct{} // oldest first; closed when the turn comes
}

// New returns turns for most requests at the same time, of which ofUser belong to one user. Both are at least 1.
func New(most, ofUser int) *Turns {
	return &Turns{most: max(most, 1), ofUser: max(ofUser, 1), users: map[string]*user{}}
}

// Take waits for a turn of the user that [admin.WithActor] has set. The caller calls done once, when the work has ended; done is never nil. Take fails when
// the context ends before.
func (t *Turns) Take(ctx context.Context) (done func(), err error) {
	actor, _ := admin.ActorOf(ctx)
	turn := make(chan struct{})
	t.mu.Lock()
	t.enqueue(actor.User, turn)
	t.grant()
	t.mu.Unlock()
	select {
	case <-turn:
		return func() { t.end(actor.User) }, nil
	case <-ctx.Done():
		t.leave(actor.User, turn)
		return func() {}, fmt.Errorf("other requests are at work (at most %d, %d of one user): try again later: %w", t.most, t.ofUser, ctx.Err())
	}
}

// Contested reports whether requests wait for a turn.
func (t *Turns) Contested() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.order) > 0
}

// enqueue adds a request to those that wait. The caller holds t.mu.
func (t *Turns) enqueue(name string, turn chan struct{}) {
	u := t.users[name]
	if u == nil {
		u = &user{}
		t.users[name] = u
	}
	if u.waiting = append(u.waiting, turn); len(u.waiting) == 1 {
		t.order = append(t.order, name)
	}
}

// grant gives free turns to users that wait and have fewer than they may. The caller holds t.mu.
func (t *Turns) grant() {
	for t.working < t.most {
		i := slices.IndexFunc(t.order, func(name string) bool { return t.users[name].working < t.ofUser })
		if i < 0 {
			return
		}
		name := t.order[i]
		u := t.users[name]
		t.order = slices.Delete(t.order, i, i+1)
		close(u.waiting[0])
		if u.waiting = u.waiting[1:]; len(u.waiting) > 0 {
			t.order = append(t.order, name)
		}
		u.working++
		t.working++
	}
}

// end gives a turn back.
func (t *Turns) end(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.users[name].working--
	t.working--
	t.forget(name)
	t.grant()
}

// leave removes a request that no longer waits. If its turn has just come, leave gives it back.
func (t *Turns) leave(name string, turn chan struct{}) {
	t.mu.Lock()
	u := t.users[name]
	select {
	case <-turn:
		t.mu.Unlock()
		t.end(name)
		return
	default:
	}
	defer t.mu.Unlock()
	if u.waiting = slices.DeleteFunc(u.waiting, func(c chan struct{}) bool { return c == turn }); len(u.waiting) == 0 {
		t.order = slices.DeleteFunc(t.order, func(n string) bool { return n == name })
	}
	t.forget(name)
}

// forget removes a user without requests. The caller holds t.mu.
func (t *Turns) forget(name string) {
	if u := t.users[name]; u.working == 0 && len(u.waiting) == 0 {
		delete(t.users, name)
	}
}
