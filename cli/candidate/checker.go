package candidate

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

// Limits of questions about candidates.
const (
	Deadline     = 8 * time.Second // of the command, for an answer, including waiting; below the timeout of the clients
	checkMemory  = 1 << 30         // bytes of a child: the memory of the largest net twice over
	checkStack   = 1 << 27         // bytes of a goroutine of a child, so that endless recursion ends before it takes the memory
	maxChildren  = 2               // at the same time
	maxAskers    = 16              // clients with questions in work or waiting
	maxQuestions = 128             // waiting questions of one client
	turnLength   = 4 * time.Second // after which a child is replaced by that of another client
)

var (
	errCheckLate = errors.New("the check ended: it took longer than")
	// ErrReplaced is the answer to a check that a newer one of the same page has replaced.
	ErrReplaced   = errors.New("the check ended: a newer check of the same page has replaced it")
	errCheckBusy  = fmt.Errorf("%d clients are checking candidates already: try again later", maxAskers)
	errCheckQueue = fmt.Errorf("%d of your questions are waiting already: try again later", maxQuestions)
)

// Checker implements [admin.Checker] with child processes that have limits of memory and time. Questions of a client
// are answered in order. A new check of a page, which [admin.Actor.Page] names, replaces earlier ones of that page, because an
// editor checks while its user types. A check that names no page, as that of a save, is never replaced.
//
// Goroutines: one for each client with waiting questions, at most maxAskers. It ends when none is left; each question
// ends at its deadline.
type Checker struct {
	deadline time.Duration
	late     error // of questions that took longer
	mu       sync.Mutex
	askers   map[admin.Actor]*asker
	turns    chan struct{} // of children
}

// NewChecker returns a checker without children: they start on demand. A question may take as long as deadline, which includes
// waiting and should be below the timeout of the clients.
func NewChecker(deadline time.Duration) *Checker {
	return &Checker{
		deadline: deadline, late: fmt.Errorf("%w %v (limit)", errCheckLate, deadline),
		askers: map[admin.Actor]*asker{}, turns: make(chan struct{}, maxChildren),
	}
}

// asker is a client with questions in work.
type asker struct {
	queue []*asking
	now   *asking
}

// asking is a question in the queue.
type asking struct {
	ctx    context.Context
	end    context.CancelCauseFunc
	q      admin.Question
	answer chan answered // capacity 1
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
	a := &asking{ctx: ctx, end: end, q: q, answer: make(chan answered, 1)}
	actor, _ := admin.ActorOf(ctx)
	if err := c.add(actor, a); err != nil {
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

// add puts a question into the queue of its client. A check of a page replaces earlier ones.
func (c *Checker) add(actor admin.Actor, a *asking) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.askers[actor]
	switch {
	case of == nil && len(c.askers) == maxAskers:
		return errCheckBusy
	case of == nil:
		of = &asker{}
		c.askers[actor] = of
		go c.work(actor, of)
	}
	replaces := a.q.Kind == admin.AskCheck && actor.Page != ""
	kept := of.queue[:0]
	for _, old := range of.queue {
		if replaces && old.q.Kind == admin.AskCheck {
			old.end(ErrReplaced)
			old.answer <- answered{err: ErrReplaced}
		} else if old.ctx.Err() == nil {
			kept = append(kept, old)
		}
	}
	of.queue = kept
	if replaces && of.now != nil && of.now.q.Kind == admin.AskCheck {
		of.now.end(ErrReplaced)
	}
	if len(of.queue) == maxQuestions {
		return errCheckQueue
	}
	of.queue = append(of.queue, a)
	return nil
}

// next returns the next question of a client; if there is none, it removes the client and returns nil.
func (c *Checker) next(actor admin.Actor, of *asker) *asking {
	c.mu.Lock()
	defer c.mu.Unlock()
	of.now = nil
	for len(of.queue) > 0 {
		a := of.queue[0]
		of.queue = of.queue[1:]
		if a.ctx.Err() == nil {
			of.now = a
			return a
		}
	}
	delete(c.askers, actor)
	return nil
}

// work answers the questions of a client. The OS thread that starts a child is kept for the life of the child: if it
// ended, Linux would treat the child's parent as dead.
func (c *Checker) work(actor admin.Actor, of *asker) {
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
	for a := c.next(actor, of); a != nil; a = c.next(actor, of) {
		if with != nil && time.Since(began) > turnLength {
			done()
		}
		if with == nil {
			select {
			case c.turns <- struct{}{}:
			case <-a.ctx.Done():
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
		v, err := with.ask(a.ctx, a.q)
		a.answer <- answered{v, err}
		if err != nil {
			done()
		}
	}
}
