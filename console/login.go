package console

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// The limits of signing in.
const (
	loginLife   = 7 * 24 * time.Hour // since it was last used
	maxLogins   = 64                 // at once; the one that was used least lately makes room
	loginRate   = 1                  // wrong tokens a second, in the long run
	loginBurst  = 20
	tokenLeast  = 16 // characters
	cookiePlain = "sinew-"
)

// login is a person who has signed in with a browser: what its cookie stands for.
type login struct {
	id   string
	user string
	role Role
	used time.Time
}

// gate knows who may sign in and who has. The zero value knows nobody.
type gate struct {
	users  []User
	wrong  *rate.Limiter
	mu     sync.Mutex
	logins map[string]*login // by id
}

var errTooManyTries = errors.New("too many wrong tokens: wait a moment")

func newGate(users []User) (*gate, error) {
	g := &gate{users: users, wrong: rate.NewLimiter(loginRate, loginBurst), logins: map[string]*login{}}
	for _, u := range users {
		switch {
		case strings.TrimSpace(u.Name) == "":
			return nil, errors.New("console: a user has no name")
		case len(u.Token) < tokenLeast:
			return nil, fmt.Errorf("console: the token of %q has %d characters: wants %d or more", u.Name, len(u.Token), tokenLeast)
		case u.Role < View || u.Role > Drive:
			return nil, fmt.Errorf("console: user %q has the unknown role %d", u.Name, u.Role)
		}
	}
	return g, nil
}

// enter signs a person in. It returns nil for a wrong token, and an error after too many of them. All comparisons take
// the same time.
func (g *gate) enter(token string) (*login, error) {
	var found *User
	sum := sha256.Sum256([]byte(token))
	for i := range g.users {
		want := sha256.Sum256([]byte(g.users[i].Token))
		if subtle.ConstantTimeCompare(sum[:], want[:]) == 1 {
			found = &g.users[i]
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if found == nil {
		if !g.wrong.Allow() {
			return nil, errTooManyTries
		}
		return nil, nil
	}
	if len(g.logins) >= maxLogins {
		g.forgetOldest()
	}
	l := &login{id: rand.Text(), user: found.Name, role: found.Role, used: time.Now()}
	g.logins[l.id] = l
	return l, nil
}

// forgetOldest makes room. The caller holds g.mu.
func (g *gate) forgetOldest() {
	var oldest *login
	for _, l := range g.logins {
		if oldest == nil || l.used.Before(oldest.used) {
			oldest = l
		}
	}
	delete(g.logins, oldest.id)
}

// known returns the login of a cookie, or nil.
func (g *gate) known(id string) *login {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.logins[id]
	if l == nil {
		return nil
	}
	now := time.Now()
	if now.Sub(l.used) > loginLife {
		delete(g.logins, id)
		return nil
	}
	l.used = now
	return l
}

// leave signs a person out.
func (g *gate) leave(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.logins, id)
}
