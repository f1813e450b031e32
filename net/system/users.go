package system

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/private"
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

// Token reads what the user signs in with, from a file of the user who runs the system alone.
func (u *User) Token() (string, error) {
	text, err := private.Secret(u.TokenFile)
	if err != nil {
		return "", fmt.Errorf("user %q: read the token: %w", u.Name, err)
	}
	token := strings.TrimSpace(string(text))
	if len(token) < MinToken {
		return "", fmt.Errorf("user %q: the token in %s has %d characters, wants %d at least: openssl rand -hex 16 makes one", u.Name, u.TokenFile, len(token), MinToken)
	}
	return token, nil
}
