package sessions

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const annsToken, bobsToken = "a long token for ann", "a long token for bob"

// kept returns the logins of a console that keeps them in a file.
func kept(t *testing.T, path string, now time.Time, users ...User) *Logins {
	t.Helper()
	g, err := NewLogins(users)
	if err == nil {
		err = g.Keep(path, true, now, func(err error) { t.Error(err) })
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func signIn(t *testing.T, g *Logins, token string, now time.Time) string {
	t.Helper()
	l, err := g.SignIn(token, netip.Prefix{}, now)
	if l == nil || err != nil {
		t.Fatal(l, err)
	}
	return l.ID
}

func TestLoginsSurviveARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p", "logins.json")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	me, bob, eve := User{Name: "me", Token: "the first printed token"}, User{Name: "bob", Token: bobsToken, Role: 1}, User{Name: "eve", Token: "a long token for eve"}
	g := kept(t, path, now, me, bob, eve)
	mine, bobs, eves, out := signIn(t, g, me.Token, now), signIn(t, g, bobsToken, now), signIn(t, g, eve.Token, now), signIn(t, g, bobsToken, now)
	old := signIn(t, g, bobsToken, now.Add(-LoginLife-time.Minute))
	g.SignOut(out)

	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v, %v", info.Mode(), err)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "token") {
		t.Errorf("the file reveals a token: %s, %v", text, err)
	}

	me.Token, eve.Token, bob.Role = "another printed token", "a new token for eve", 2
	g = kept(t, path, now, me, bob, eve)
	if l := g.Find(mine); l == nil || l.User != "me" {
		t.Errorf("the login of the user who has started the console: %+v", l)
	}
	if l := g.Find(bobs); l == nil || l.Role != 2 {
		t.Errorf("a login has the previous role: %+v", l)
	}
	for name, id := range map[string]string{"whose token has changed": eves, "that has signed out": out, "that is too old": old, "without an ID": ""} {
		if g.Find(id) != nil {
			t.Errorf("a login %s is taken", name)
		}
	}
	if g = kept(t, path, now, me); g.Find(bobs) != nil {
		t.Error("the login of a user who no longer exists is taken")
	}
}

func TestForeignOrBrokenLoginsAreRejected(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p", "logins.json")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	g := kept(t, path, time.Now(), User{Name: "ann", Token: annsToken})
	id := signIn(t, g, annsToken, time.Now())
	again := func() error {
		g, err := NewLogins([]User{{Name: "ann", Token: annsToken}})
		if err != nil {
			t.Fatal(err)
		}
		err = g.Keep(path, true, time.Now(), func(error) {})
		if g.Find(id) != nil {
			t.Error("a login of a rejected file is taken")
		}
		return err
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := again(); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a file that others can read: %v", err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := again(); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a broken file: %v", err)
	}
}

func TestNewRunForgetsLogins(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p", "logins.json")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	me := User{Name: "me", Token: annsToken}
	g := kept(t, path, time.Now(), me)
	id := signIn(t, g, annsToken, time.Now())
	g, err := NewLogins([]User{me})
	if err == nil {
		err = g.Keep(path, false, time.Now(), func(err error) { t.Error(err) })
	}
	if err != nil || g.Find(id) != nil {
		t.Errorf("a new run has the logins of the former one: %v", err)
	}
	if g = kept(t, path, time.Now(), me); g.Find(id) != nil {
		t.Error("a forgotten login comes back")
	}
	g.Forget()
	if _, err := os.Stat(path); err == nil {
		t.Error("a console that has ended leaves its file of logins")
	}
}
