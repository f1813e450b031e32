package sessions

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/admin/request"
)

// The limits of signing in.
const (
	LoginLife  = 7 * 24 * time.Hour // since a login was last used
	keepAgain  = time.Hour          // between two times that the use of a login is kept
	maxLogins  = 16                 // of one user at once; the least recently used one is forgotten
	tokenLeast = 16                 // characters
)

// Login is a person who has signed in with a browser. The browser's cookie holds its ID.
type Login struct {
	ID   string // random, secret
	User string // the person's name
	Role request.Role
	used time.Time
	kept time.Time // when used was kept
}

// Logins holds the users that may sign in, and their logins.
type Logins struct {
	users  []User
	wrong  attempts
	keeper *keeper // nil: logins end with the process
	mu     sync.Mutex
	logins map[string]*Login // by ID
}

// NewLogins returns the logins of some users. It fails when a user has no name, a token of fewer than 16 characters, or an unknown role.
func NewLogins(users []User) (*Logins, error) {
	g := &Logins{users: users, logins: map[string]*Login{}}
	for _, u := range users {
		switch {
		case strings.TrimSpace(u.Name) == "":
			return nil, errors.New("console: a user has no name")
		case len(u.Token) < tokenLeast:
			return nil, fmt.Errorf("console: the token of %q has %d characters; it needs %d or more", u.Name, len(u.Token), tokenLeast)
		case u.Role < request.View || u.Role > request.Own:
			return nil, fmt.Errorf("console: user %q has the unknown role %d", u.Name, u.Role)
		}
	}
	return g, nil
}

// SignIn returns a new login for a token that was sent from an address; nil without an error when the token is wrong. After too many
// wrong tokens the error is a [TooManyAttempts], and the token is not looked at. All comparisons take the same time.
func (g *Logins) SignIn(token string, from netip.Prefix, now time.Time) (*Login, error) {
	g.mu.Lock() // also while it compares: of guesses that come at the same time each one counts before the next is looked at
	defer g.mu.Unlock()
	if err := g.wrong.check(from, now); err != nil {
		return nil, err
	}
	var found *User
	sum := sha256.Sum256([]byte(token))
	for i := range g.users {
		want := sha256.Sum256([]byte(g.users[i].Token))
		if subtle.ConstantTimeCompare(sum[:], want[:]) == 1 {
			found = &g.users[i]
		}
	}
	if found == nil {
		g.wrong.wrong(from, now)
		return nil, nil
	}
	g.makeRoom(found.Name)
	l := &Login{ID: rand.Text(), User: found.Name, Role: found.Role, used: now}
	g.logins[l.ID] = l
	g.keep(now)
	return l, nil
}

// makeRoom forgets the least recently used login of a user who has too many. The caller holds g.mu.
func (g *Logins) makeRoom(user string) {
	var oldest *Login
	count := 0
	for _, l := range g.logins {
		if l.User != user {
			continue
		}
		if count++; oldest == nil || l.used.Before(oldest.used) {
			oldest = l
		}
	}
	if count >= maxLogins {
		delete(g.logins, oldest.ID)
	}
}

// Find returns the login of a cookie, and counts as its use; nil if there is none or it has expired.
func (g *Logins) Find(id string) *Login {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.logins[id]
	if l == nil {
		return nil
	}
	now := time.Now()
	if now.Sub(l.used) > LoginLife {
		delete(g.logins, id)
		return nil
	}
	l.used = now
	if now.Sub(l.kept) > keepAgain {
		g.keep(now)
	}
	return l
}

// SignOut ends a login.
func (g *Logins) SignOut(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.logins, id)
	g.keep(time.Now())
}

// Holders returns the names of the users who have a role or a higher one, with the verb: "ann and bob have".
func (g *Logins) Holders(role request.Role) string {
	var names []string
	for _, u := range g.users {
		if u.Role >= role {
			names = append(names, u.Name)
		}
	}
	if len(names) == 1 {
		return names[0] + " has"
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " have"
}
