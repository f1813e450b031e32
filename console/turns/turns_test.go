package turns

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
)

// as returns the context of a user's request.
func as(t *testing.T, user string) context.Context {
	return admin.WithActor(t.Context(), admin.Actor{User: user})
}

// take takes a turn that must be free.
func take(t *testing.T, of *Turns, user string) (done func()) {
	t.Helper()
	done, err := of.Take(as(t, user))
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// queue has a request wait, and returns once it does. When its turn comes, user is sent to turn.
func queue(t *testing.T, of *Turns, user string, turn chan<- string) {
	t.Helper()
	waiting := func() (n int) {
		of.mu.Lock()
		defer of.mu.Unlock()
		for _, u := range of.users {
			n += len(u.waiting)
		}
		return n
	}
	before := waiting()
	go func() {
		if done, err := of.Take(as(t, user)); err == nil {
			turn <- user
			done()
		}
	}()
	testkit.Await(t, "the request of "+user+" waits", func() bool { return waiting() > before })
}

func TestUsersThatWaitHaveTurnsOneAfterTheOther(t *testing.T) {
	of := New(1, 1)
	first := take(t, of, "ann")
	turn := make(chan string)
	for _, user := range []string{"ann", "ann", "ann", "bob", "carl", "bob"} {
		queue(t, of, user, turn)
	}
	first()
	var got []string
	for range 6 {
		got = append(got, <-turn)
	}
	if want := []string{"ann", "bob", "carl", "ann", "bob", "ann"}; !slices.Equal(got, want) {
		t.Errorf("the turns are of %v, want %v", got, want)
	}
	testkit.Await(t, "no user is remembered", func() bool { of.mu.Lock(); defer of.mu.Unlock(); return len(of.users)+of.working == 0 })
}

func TestOneUserLeavesTurnsToOthers(t *testing.T) {
	of := New(3, 2)
	done := []func(){take(t, of, "ann"), take(t, of, "ann")}
	turn := make(chan string, 1)
	queue(t, of, "ann", turn)
	take(t, of, "bob")()
	select {
	case <-turn:
		t.Error("a user has three turns of two")
	default:
	}
	if !of.Contested() {
		t.Error("nothing waits")
	}
	done[0]()
	<-turn
	done[1]()
}

func TestRequestThatEndsWhileItWaitsTakesNoTurn(t *testing.T) {
	of := New(1, 1)
	first := take(t, of, "ann")
	ctx, cancel := context.WithCancel(as(t, "bob"))
	cancel()
	done, err := of.Take(ctx)
	if done(); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if of.Contested() {
		t.Error("the request still waits")
	}
	first()
	take(t, of, "carl")()
}
