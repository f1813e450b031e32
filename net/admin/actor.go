package admin

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
)

// Actor is the origin of a change: a person or program with the process it acts from. The zero value stands for none, as of a
// fault.
type Actor struct {
	User     string `json:"user,omitempty"`     // account of a tool, or the name signed in with at a console
	System   string `json:"system,omitempty"`   // the system that the change comes from, where its own process has made it
	Host     string `json:"host,omitempty"`     // host name
	PID      int    `json:"pid,omitempty"`      // process on that host
	Instance string `json:"instance,omitempty"` // random, of a client or console: hosts and containers may repeat names and PIDs
	Page     string `json:"page,omitempty"`     // of a console, for checks of text that it has not saved: they replace one another
}

// NewActor returns an actor for a client or console of this process, with a new Instance. user may be "".
func NewActor(user string) Actor {
	host, _ := os.Hostname()
	return Actor{User: user, Host: host, PID: os.Getpid(), Instance: rand.Text()}
}

// Is reports whether both are the same client or console, whatever their users.
func (a Actor) Is(b Actor) bool { return a.Instance != "" && a.Instance == b.Instance }

// String returns the actor as "user@host, process 4711", with "system name" where it has no user, as far as its fields are known;
// "" for the zero value.
func (a Actor) String() string {
	text := a.User
	if text == "" && a.System != "" {
		text = "system " + a.System
	}
	if a.Host != "" {
		text += "@" + a.Host
	}
	if a.PID != 0 {
		text += fmt.Sprintf(", process %d", a.PID)
	}
	return text
}

// actorKey is the key of a context's value that WithActor sets.
type actorKey struct{}

// WithActor returns a context in which a [System] makes changes for an actor: the events of the system name it. Without one, a
// client of the control plane names itself, and [Local] its own system and process.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// ActorOf returns the actor that WithActor has set; ok is false where it has not.
func ActorOf(ctx context.Context) (a Actor, ok bool) {
	a, ok = ctx.Value(actorKey{}).(Actor)
	return a, ok
}
