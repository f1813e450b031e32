package candidate

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

// Limits of questions about candidates.
const (
	Deadline     = 8 * time.Second // of the command, for an answer, including waiting; below the timeout of the clients
	checkMemory  = 1 << 30         // bytes of a child: the memory of the largest net twice over
	checkStack   = 1 << 27         // bytes of a goroutine of a child, so that endless recursion ends before it takes the memory
	maxChildren  = 2               // at the same time, at most one of a login
	maxLogins    = 16              // with questions in work or waiting
	maxUnnamed   = maxLogins / 2   // of these without a user, so that users have room
	maxQuestions = 128             // waiting questions of one login
	turnsOf      = 4               // turns in a deadline: after one turn a child gives way to that of a login that waits
)

var (
	errCheckLate = errors.New("the check ended: it took longer than")
	// ErrReplaced is the answer to a check that a newer one of the same page has replaced.
	ErrReplaced   = errors.New("the check ended: a newer check of the same page has replaced it")
	errCheckBusy  = fmt.Errorf("others are checking candidates already (at most %d users, %d clients without one): try again later", maxLogins, maxUnnamed)
	errCheckQueue = fmt.Errorf("%d of your questions are waiting already: try again later", maxQuestions)
)

// Checker implements [admin.Checker] with child processes that have limits of memory and time. The questions of a login, a user
// with all pages and programs, are answered by one child at a time, so that no user keeps others waiting. A new check of a page, which
// [admin.Actor.Page] names, replaces earlier ones of that page, because an editor checks while its user types. A check that names no page, as that of a
// save, is never replaced, and goes before what editors ask: descriptions of the types of a whole net can take the deadline on a busy machine.
//
// A child works for a quarter of the deadline while another login waits: then it gives way at the end of its question, or at once where that
// question alone has taken that time. So logins whose questions never end leave others at least half of the deadline, where they are as many as children.
//
// Goroutines: one for each login with waiting questions, at most maxLogins. It ends when none is left; each question
// ends at its deadline.
type Checker struct {
	deadline time.Duration
	late     error // of questions that took longer
	mu       sync.Mutex
	askers   map[login]*asker
	turns    chan struct{} // of children
	waiting  int           // logins that wait for a turn
}

// login is what questions are counted by: a user, or the instance of a client that names none.
type login struct{ user, instance string }

func loginOf(a admin.Actor) login {
	if a.User != "" {
		return login{user: a.User}
	}
	return login{instance: a.Instance}
}

// NewChecker returns a checker without children: they start on demand. A question may take as long as deadline, which includes
// waiting and should be below the timeout of the clients.
func NewChecker(deadline time.Duration) *Checker {
	return &Checker{
		deadline: deadline, late: fmt.Errorf("%w %v (limit)", errCheckLate, deadline),
		askers: map[login]*asker{}, turns: make(chan struct{}, maxChildren),
	}
}

// turn is how long a child works while another login waits.
func (c *Checker) turn() time.Duration { return c.deadline / turnsOf }

// asker is a login with questions in work.
type asker struct {
	queue []*asking
	now   *asking
	began time.Time // of now in a child; zero while it has none
}

// asking is a question in the queue.
type asking struct {
	ctx    context.Context
	end    context.CancelCauseFunc
	q      admin.Question
	page   string        // "": none
	answer chan answered // capacity 1
}

// replaces reports whether an earlier question no longer counts.
func (a *asking) replaces(old *asking) bool {
	return a.page != "" && a.page == old.page && a.q.Kind == admin.AskCheck && old.q.Kind == admin.AskCheck
}

// isSave reports whether a save waits for the answer, not an editor that asks while its user types.
func (a *asking) isSave() bool {
	return a.q.Kind == admin.AskSave || a.q.Kind == admin.AskCheck && a.page == ""
}

type answered struct {
	verdict admin.Verdict
	err     error
}

// Ask implements admin.Checker.
func (c *Checker) Ask(ctx context.Context, q admin.Question) (admin.Verdict, error) {
	ctx, stop := context.WithTimeoutCause(ctx, c.deadline, c.late)
	defer stop()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	actor, _ := admin.ActorOf(ctx)
	a := &asking{ctx: ctx, end: end, q: q, page: actor.Page, answer: make(chan answered, 1)}
	if err := c.add(loginOf(actor), a); err != nil {
		return admin.Verdict{}, err
	}
	select {
	case r := <-a.answer:
		return r.verdict, r.err
	case <-ctx.Done():
		select {
		case r := <-a.answer: // it describes the same failure better
			return r.verdict, r.err
		case <-time.After(childGrace):
		}
		return admin.Verdict{}, context.Cause(ctx)
	}
}

// add puts a question into the queue of its login. A check of a page replaces earlier ones.
func (c *Checker) add(by login, a *asking) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.askers[by]
	switch {
	case of == nil && !c.hasRoom(by):
		return errCheckBusy
	case of == nil:
		of = &asker{}
		c.askers[by] = of
		go c.work(by, of)
	}
	kept := of.queue[:0]
	for _, old := range of.queue {
		if a.replaces(old) {
			old.end(ErrReplaced)
			old.answer <- answered{err: ErrReplaced}
		} else if old.ctx.Err() == nil {
			kept = append(kept, old)
		}
	}
	of.queue = kept
	if of.now != nil && a.replaces(of.now) {
		of.now.end(ErrReplaced)
	}
	if len(of.queue) == maxQuestions {
		return errCheckQueue
	}
	at := len(of.queue)
	for a.isSave() && at > 0 && !of.queue[at-1].isSave() {
		at--
	}
	of.queue = slices.Insert(of.queue, at, a)
	return nil
}

// hasRoom reports whether another login may ask. The caller holds c.mu.
func (c *Checker) hasRoom(by login) bool {
	unnamed := 0
	for other := range c.askers {
		if other.user == "" {
			unnamed++
		}
	}
	return len(c.askers) < maxLogins && (by.user != "" || unnamed < maxUnnamed)
}

// next returns the next question of a login; if there is none, it removes the login and returns nil.
func (c *Checker) next(by login, of *asker) *asking {
	c.mu.Lock()
	defer c.mu.Unlock()
	of.now, of.began = nil, time.Time{}
	for len(of.queue) > 0 {
		a := of.queue[0]
		of.queue = of.queue[1:]
		if a.ctx.Err() == nil {
			of.now = a
			return a
		}
	}
	delete(c.askers, by)
	return nil
}

// work answers the questions of a login. The OS thread that starts a child is kept for the life of the child: if it
// ended, Linux would treat the child's parent as dead.
func (c *Checker) work(by login, of *asker) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var with *child
	var began time.Time
	done := func() {
		if with != nil {
			with.close()
			with = nil
			<-c.turns
		}
	}
	defer done()
	for a := c.next(by, of); a != nil; a = c.next(by, of) {
		if with != nil && time.Since(began) > c.turn() {
			done()
		}
		if with == nil {
			if !c.take(a.ctx) {
				continue
			}
			var err error
			began = time.Now()
			if with, err = startChild(); err != nil {
				<-c.turns
				a.answer <- answered{err: err}
				continue
			}
		}
		late := c.begin(of)
		v, err := with.ask(a.ctx, a.q)
		late.Stop()
		a.answer <- answered{v, err}
		if err != nil {
			done()
		}
	}
}

// take waits for a turn, and reports whether it came before the context ended.
func (c *Checker) take(ctx context.Context) bool {
	select {
	case c.turns <- struct{}{}:
		return true
	default:
	}
	c.mu.Lock()
	c.waiting++
	c.makeRoom()
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.waiting--
		c.mu.Unlock()
	}()
	select {
	case c.turns <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// begin notes that a child begins to work on the question of a login. The timer ends the question after a turn if others wait.
func (c *Checker) begin(of *asker) *time.Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	of.began = time.Now()
	return time.AfterFunc(c.turn(), func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.makeRoom()
	})
}

// makeRoom ends questions that have taken longer than a turn, one for each login that waits. The caller holds c.mu.
func (c *Checker) makeRoom() {
	late := fmt.Errorf("%w %v while another user waited (limit)", errCheckLate, c.turn())
	wanted := c.waiting
	var overdue []*asking
	for _, of := range c.askers {
		switch {
		case of.now == nil || of.began.IsZero():
		case of.now.ctx.Err() != nil: // its turn is about to come free
			wanted--
		case time.Since(of.began) >= c.turn():
			overdue = append(overdue, of.now)
		}
	}
	for _, a := range overdue[:min(len(overdue), max(wanted, 0))] {
		a.end(late)
	}
}
