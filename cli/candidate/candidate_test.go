package candidate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Quiet and Loud are block types of these tests.
type (
	Quiet struct{ quiet }
	Loud  struct{ quiet }
	quiet struct{}
)

func (quiet) Step(clock.Tick) error { return nil }

// A child that dies names the type whose code ran last: each is announced before it is made, and a row of one type once.
func TestTypesAreAnnouncedBeforeTheyAreMade(t *testing.T) {
	var reported []string
	registry := watchedTypes(block.NewRegistry([]block.Entry{block.Of[Quiet]("is quiet"), block.Of[Loud]("is loud")}),
		func(typ string) { reported = append(reported, typ) })
	if len(reported) != 0 {
		t.Errorf("reported %v while nothing was made", reported)
	}
	for _, typ := range []string{"candidate.Loud", "candidate.Loud", "candidate.Quiet", "candidate.Loud"} {
		e, ok := registry.Lookup(typ)
		if !ok {
			t.Fatalf("no type %s among %v", typ, registry.Types())
		}
		e.New()
	}
	if want := []string{"candidate.Loud", "candidate.Quiet", "candidate.Loud"}; !slices.Equal(reported, want) {
		t.Errorf("reported %v, want %v", reported, want)
	}
}

func TestOutcryKeepsTheBeginning(t *testing.T) {
	var o outcry
	for range 3 {
		if n, err := o.Write([]byte(strings.Repeat("x", maxOutcry/2+1))); n != maxOutcry/2+1 || err != nil {
			t.Errorf("wrote %d, %v", n, err)
		}
	}
	if n := len(o.String()); n != maxOutcry {
		t.Errorf("kept %d bytes, want %d", n, maxOutcry)
	}
}

// fill gives a checker logins with work, without children.
func fill(c *Checker, logins ...login) {
	for _, by := range logins {
		c.askers[by] = &asker{now: &asking{ctx: context.Background(), end: func(error) {}}}
	}
}

func asked(kind, page string) *asking {
	ctx, end := context.WithCancelCause(context.Background())
	return &asking{ctx: ctx, end: end, q: admin.Question{Kind: kind}, page: page, answer: make(chan answered, 1)}
}

// An editor checks while its user types: only the newest check of a page counts, and nothing else of it is given up.
func TestNewerCheckOfAPageReplacesItsOlderOnes(t *testing.T) {
	c := NewChecker(time.Minute)
	ann := loginOf(admin.Actor{User: "ann"})
	running, first, second := asked(admin.AskCheck, "net"), asked(admin.AskCheck, "net"), asked(admin.AskCheck, "net")
	c.askers[ann] = &asker{now: running}
	types, elsewhere, save, again := asked(admin.AskTypes, "net"), asked(admin.AskCheck, "other"), asked(admin.AskCheck, ""), asked(admin.AskCheck, "")
	for _, a := range []*asking{first, types, elsewhere, save, again, second} {
		if err := c.add(ann, a); err != nil {
			t.Fatal(err)
		}
	}
	if got := c.askers[ann].queue; !slices.Equal(got, []*asking{save, again, types, elsewhere, second}) {
		t.Errorf("%d questions wait, want all but the first check, those of saves before those of editors", len(got))
	}
	if r := <-first.answer; !errors.Is(r.err, ErrReplaced) || !errors.Is(context.Cause(running.ctx), ErrReplaced) {
		t.Errorf("the first check: %v, the running one: %v", r.err, context.Cause(running.ctx))
	}
}

func TestLoginsAndTheirQuestionsAreLimited(t *testing.T) {
	c := NewChecker(time.Minute)
	three := login{user: "3"}
	for i := range maxLogins {
		fill(c, login{user: fmt.Sprint(i)})
	}
	if err := c.add(login{user: "one more"}, asked(admin.AskCheck, "")); !errors.Is(err, errCheckBusy) {
		t.Errorf("user %d: %v", maxLogins+1, err)
	}
	for i := range maxQuestions + 1 {
		err := c.add(three, asked(admin.AskCheck, ""))
		if wrong := i < maxQuestions; wrong == errors.Is(err, errCheckQueue) {
			t.Fatalf("question %d: %v", i+1, err)
		}
	}
	// A question that has run out of time makes room.
	c.askers[three].queue[5].end(nil)
	if err := c.add(three, asked(admin.AskCheck, "")); err != nil {
		t.Errorf("with room for one: %v", err)
	}
}

// Users whose questions never end, one for each child, leave a third user time for an answer.
func TestQuestionsThatNeverEndGiveWayToAnotherUser(t *testing.T) {
	c := NewChecker(time.Second) // a turn is 0.25 s
	hold := func(user string) *asking {
		c.turns <- struct{}{}
		a := asked(admin.AskCheck, "")
		of := &asker{now: a}
		c.askers[login{user: user}] = of
		late := c.begin(of)
		go func() { // as a child does
			<-a.ctx.Done()
			late.Stop()
			<-c.turns
		}()
		return a
	}
	eve, mallory := hold("eve"), hold("mallory")
	if !c.take(t.Context()) {
		t.Fatal("no turn")
	}
	text := fmt.Sprint(context.Cause(eve.ctx), context.Cause(mallory.ctx))
	if !strings.Contains(text, "took longer than 250ms while another user waited (limit)") {
		t.Error(text)
	}
	if (eve.ctx.Err() == nil) == (mallory.ctx.Err() == nil) {
		t.Errorf("eve's question: %v, mallory's: %v: wants one of them ended", eve.ctx.Err(), mallory.ctx.Err())
	}
	if c.waiting != 0 {
		t.Errorf("%d wait", c.waiting)
	}
	eve.end(nil)
	mallory.end(nil)
}

// A question may take the whole deadline where no other login waits.
func TestQuestionsAloneHaveTheWholeDeadline(t *testing.T) {
	c := NewChecker(4 * time.Hour)
	a := asked(admin.AskCheck, "")
	c.askers[login{user: "ann"}] = &asker{now: a, began: time.Now().Add(-2 * time.Hour)}
	if c.makeRoom(); a.ctx.Err() != nil {
		t.Errorf("alone: %v", context.Cause(a.ctx))
	}
	c.waiting = 1
	if c.makeRoom(); !errors.Is(context.Cause(a.ctx), errCheckLate) {
		t.Errorf("while another login waits: %v", context.Cause(a.ctx))
	}
}

func TestPagesAndProgramsOfAUserAreOneLogin(t *testing.T) {
	if a, b := loginOf(admin.Actor{User: "ann", Page: "one", Instance: "x"}), loginOf(admin.Actor{User: "ann", Page: "two", Instance: "y"}); a != b {
		t.Errorf("%+v and %+v", a, b)
	}
	if a, b := loginOf(admin.Actor{Instance: "x"}), loginOf(admin.Actor{Instance: "y"}); a == b {
		t.Errorf("two clients without a user are both %+v", a)
	}
}

func TestClientsWithoutAUserLeaveRoomForUsers(t *testing.T) {
	c := NewChecker(time.Minute)
	for i := range maxUnnamed {
		fill(c, login{instance: fmt.Sprint(i)})
	}
	if err := c.add(login{instance: "one more"}, asked(admin.AskCheck, "")); !errors.Is(err, errCheckBusy) {
		t.Errorf("client %d without a user: %v", maxUnnamed+1, err)
	}
	if c.mu.Lock(); !c.hasRoom(login{user: "ann"}) {
		t.Error("a user has no room")
	}
	c.mu.Unlock()
}
