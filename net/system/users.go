package system

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// User is a person who may sign in to the console of the system.
type User struct {
	Name      string
	Role      string // view, tune, drive or own: each may do what those before it may
	TokenFile string // file that holds the token to sign in with
}

// MinToken is how many characters a token has at least.
const MinToken = 16

var roles = []string{"view", "tune", "drive", "own"}

// readUsers reads the section users.
func (l *loader) readUsers(n *yaml.Node) {
	for _, e := range l.entries(n, "users") {
		u := User{Name: e.key.Value}
		l.fields(e.value, fmt.Sprintf("user %q", u.Name), map[string]func(*yaml.Node){
			"role": func(v *yaml.Node) {
				if u.Role = l.text(v, "role"); u.Role != "" && !slices.Contains(roles, u.Role) {
					l.fail(v, "role wants %s, got %q", strings.Join(roles, ", "), v.Value)
				}
			},
			"token": func(v *yaml.Node) { u.TokenFile = l.named(v, l.sys.Dir, l.text(v, "token")) },
		})
		if child(e.value, "role") == nil || child(e.value, "token") == nil {
			l.fail(e.key, "user %q wants a role and the file of a token, as {role: tune, token: %s.token}", u.Name, u.Name)
		}
		l.sys.Users = append(l.sys.Users, u)
	}
}

// Token reads what the user signs in with, from a file that only its owner may read.
func (u *User) Token() (string, error) {
	info, err := os.Stat(u.TokenFile)
	if err != nil {
		return "", fmt.Errorf("user %q: read the token: %w", u.Name, err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("user %q: others may read the token in %s: chmod 600 it, or make a new one if they have", u.Name, u.TokenFile)
	}
	text, err := os.ReadFile(u.TokenFile)
	if err != nil {
		return "", fmt.Errorf("user %q: read the token: %w", u.Name, err)
	}
	token := strings.TrimSpace(string(text))
	if len(token) < MinToken {
		return "", fmt.Errorf("user %q: the token in %s has %d characters, wants %d at least: openssl rand -hex 16 makes one", u.Name, u.TokenFile, len(token), MinToken)
	}
	return token, nil
}
