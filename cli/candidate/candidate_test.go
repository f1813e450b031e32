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

// fill gives a checker clients with work, without children.
func fill(c *Checker, clients int) {
	for i := range clients {
		c.askers[admin.Actor{User: fmt.Sprint(i)}] = &asker{now: &asking{ctx: context.Background(), end: func(error) {}}}
	}
}

func asked(kind string) *asking {
	ctx, end := context.WithCancelCause(context.Background())
	return &asking{ctx: ctx, end: end, q: admin.Question{Kind: kind}, answer: make(chan answered, 1)}
}

// An editor checks while its user types: only the newest check of a page counts, and nothing else of it is given up.
func TestNewerCheckOfAPageReplacesItsOlderOnes(t *testing.T) {
	c := NewChecker(time.Minute)
	page, save := admin.Actor{User: "0", Page: "net"}, admin.Actor{User: "0"}
	running, other := asked(admin.AskCheck), asked(admin.AskTypes)
	c.askers[page] = &asker{now: running}
	first, second := asked(admin.AskCheck), asked(admin.AskCheck)
	for _, a := range []*asking{first, other, second} {
		if err := c.add(page, a); err != nil {
			t.Fatal(err)
		}
	}
	if got := c.askers[page].queue; !slices.Equal(got, []*asking{other, second}) {
		t.Errorf("%d questions wait, want the other question and the second check", len(got))
	}
	if r := <-first.answer; !errors.Is(r.err, ErrReplaced) || !errors.Is(context.Cause(running.ctx), ErrReplaced) {
		t.Errorf("the first check: %v, the running one: %v", r.err, context.Cause(running.ctx))
	}
	c.askers[save] = &asker{now: asked(admin.AskCheck)}
	third, fourth := asked(admin.AskCheck), asked(admin.AskCheck)
	if err := errors.Join(c.add(save, third), c.add(save, fourth)); err != nil || len(c.askers[save].queue) != 2 {
		t.Errorf("checks of saves: %v, %d wait, want both", err, len(c.askers[save].queue))
	}
}

func TestClientsAndTheirQuestionsAreLimited(t *testing.T) {
	c := NewChecker(time.Minute)
	fill(c, maxAskers)
	if err := c.add(admin.Actor{User: "one more"}, asked(admin.AskCheck)); !errors.Is(err, errCheckBusy) {
		t.Errorf("client %d: %v", maxAskers+1, err)
	}
	for i := range maxQuestions + 1 {
		err := c.add(admin.Actor{User: "3"}, asked(admin.AskCheck))
		if wrong := i < maxQuestions; wrong == errors.Is(err, errCheckQueue) {
			t.Fatalf("question %d: %v", i+1, err)
		}
	}
	// A question that has run out of time makes room.
	c.askers[admin.Actor{User: "3"}].queue[5].end(nil)
	if err := c.add(admin.Actor{User: "3"}, asked(admin.AskCheck)); err != nil {
		t.Errorf("with room for one: %v", err)
	}
}
