package sessions

import (
	"encoding/json"
	"slices"
	"testing"
	"time"
)

// FuzzKeptLogins takes any file of logins. Each accepted login belongs to a user of this console, with the mark of that user's token.
func FuzzKeptLogins(f *testing.F) {
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	users := []User{{Name: "me", Token: "the printed token"}, {Name: "ann", Token: annsToken, Role: 1}, {Name: "bob", Token: bobsToken, Role: 2}}
	sample, err := NewLogins(users)
	if err != nil {
		f.Fatal(err)
	}
	seed, err := json.Marshal([]keptLogin{
		{"a", "me", now, owner}, {"b", "ann", now.Add(-time.Hour), sample.markOf(1, "b")}, {"c", "bob", now, sample.markOf(1, "c")}, {"d", "eve", now, ""},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add([]byte(`[{"id":"x","user":"ann","used":"2026-11-25T12:00:00Z","mark":"owner"},null]`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		g, err := NewLogins(users)
		if err != nil {
			t.Fatal(err)
		}
		if g.take(text, now) != nil && len(g.logins) > 0 {
			t.Fatalf("%d logins of a rejected file are taken", len(g.logins))
		}
		var list []keptLogin
		_ = json.Unmarshal(text, &list) // checked by take
		count := map[string]int{}
		for id, l := range g.logins {
			i := slices.IndexFunc(users, func(u User) bool { return u.Name == l.User })
			if i < 0 || id == "" || l.ID != id || l.Role != users[i].Role || l.used.After(now) || now.Sub(l.used) > LoginLife {
				t.Fatalf("the login %+v is taken as %q", l, id)
			}
			if !slices.ContainsFunc(list, func(k keptLogin) bool { return k.ID == id && k.User == l.User && k.Mark == g.markOf(i, id) }) {
				t.Fatalf("the login %q of %s has no mark of the user's token", id, l.User)
			}
			if count[l.User]++; count[l.User] > maxLogins {
				t.Fatalf("%s has more than %d logins", l.User, maxLogins)
			}
		}
	})
}
