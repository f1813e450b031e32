package sessions

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/internal/private"
)

// keeper writes logins into a private file, from which the next console of the same system takes them.
type keeper struct {
	path   string
	failed func(error)
}

// keptLogin is a login in the file. The file holds no token: only a login whose user still has the same token is taken.
type keptLogin struct {
	ID   string    `json:"id"` // the cookie's value
	User string    `json:"user"`
	Used time.Time `json:"used"`
	Mark string    `json:"mark"` // of the user's token: see markOf
}

// owner is the mark of the user who has started the console, whose token is another one at each start.
const owner = "owner"

// Keep keeps the logins in a file in a private folder from now on. With take it first takes those that an earlier console has kept there; else
// they are forgotten. Logins that are older than
// [LoginLife], and those of users that no longer exist or have another token, are dropped. The first user has started the console:
// that user's logins are taken although the token is new. A file that cannot be read is an error that names it, and no login is taken.
//
// failed is called where the file cannot be written later; logins then end with the process.
func (g *Logins) Keep(path string, take bool, now time.Time, failed func(error)) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.keeper = &keeper{path, failed}
	if !take {
		g.keep(now)
		return nil
	}
	text, err := private.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = g.take(text, now)
	}
	if err != nil {
		return fmt.Errorf("read the logins in %s: %w; sign in again", path, err)
	}
	return nil
}

// take takes the logins of a file. The caller holds g.mu.
func (g *Logins) take(text []byte, now time.Time) error {
	var list []keptLogin
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	for _, k := range list {
		i := slices.IndexFunc(g.users, func(u User) bool { return u.Name == k.User })
		age := now.Sub(k.Used)
		if i < 0 || k.ID == "" || age < 0 || age > LoginLife || !hmac.Equal([]byte(g.markOf(i, k.ID)), []byte(k.Mark)) {
			continue
		}
		g.makeRoom(k.User)
		g.logins[k.ID] = &Login{ID: k.ID, User: k.User, Role: g.users[i].Role, used: k.Used, kept: k.Used}
	}
	return nil
}

// Forget removes the file of logins: for a console that ends with its system, after which the next one is a new run.
func (g *Logins) Forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.keeper != nil {
		if err := os.Remove(g.keeper.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			g.keeper.failed(fmt.Errorf("forget the logins: %w", err))
		}
		g.keeper = nil
	}
}

// markOf returns a value that shows which token a login belongs to, without revealing the token.
func (g *Logins) markOf(user int, id string) string {
	if user == 0 {
		return owner
	}
	mac := hmac.New(sha256.New, []byte(g.users[user].Token))
	mac.Write([]byte(id))
	return hex.EncodeToString(mac.Sum(nil))
}

// keep writes the logins. The caller holds g.mu.
func (g *Logins) keep(now time.Time) {
	if g.keeper == nil {
		return
	}
	list := []keptLogin{}
	for _, id := range slices.Sorted(maps.Keys(g.logins)) {
		l := g.logins[id]
		if i := slices.IndexFunc(g.users, func(u User) bool { return u.Name == l.User }); i >= 0 {
			list = append(list, keptLogin{id, l.User, l.used, g.markOf(i, id)})
		}
		l.kept = now
	}
	text, err := json.Marshal(list)
	if err == nil {
		err = private.Write(g.keeper.path, text)
	}
	if err != nil {
		g.keeper.failed(fmt.Errorf("keep the logins in %s: %w", g.keeper.path, err))
	}
}
