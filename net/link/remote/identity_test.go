package remote

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

func TestKeysSurviveTheTripThroughText(t *testing.T) {
	id := identity(t)
	again, err := ParseIdentity(id.Secret())
	if err != nil || again != id {
		t.Errorf("the identity became %v, %v", again, err)
	}
	key, err := ParsePublicKey(id.Public().String())
	if err != nil || key != id.Public() {
		t.Errorf("the public key became %v, %v", key, err)
	}
	if text := fmt.Sprintf("%v %+v %#v %s", id, id, id, id); strings.Contains(text, id.Secret()) {
		t.Error("printing an identity reveals its secret")
	}
}

func TestParsingRejectsBadKeysWithoutQuotingThem(t *testing.T) {
	short := base64.StdEncoding.EncodeToString(make([]byte, 31))
	for text, want := range map[string]string{
		"":                                  "want 32 bytes in base64, have 0",
		"abc":                               "want 44 characters of base64, have 3",
		short:                               "want 32 bytes in base64, have 31",
		strings.Repeat("!", 44):             "want 44 characters of base64, have 44",
		strings.Repeat("A", 43) + "=":       "have zeros",
		strings.Repeat("A", 42) + "B=":      "want 44 characters of base64",
		identity(t).Public().String() + " ": "want 44 characters of base64, have 45",
	} {
		for _, parse := range []func(string) error{
			func(s string) error { _, err := ParseIdentity(s); return err },
			func(s string) error { _, err := ParsePublicKey(s); return err },
		} {
			if err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %q", text, err, want)
			} else if len(text) > 3 && strings.Contains(err.Error(), text) {
				t.Errorf("the error %q reveals the key", err)
			}
		}
	}
}

func FuzzParseKey(f *testing.F) {
	f.Add("AAAA")
	f.Add(strings.Repeat("A", 44))
	f.Fuzz(func(t *testing.T, text string) {
		key, err := ParsePublicKey(text)
		if err == nil && key.String() != strings.NewReplacer("\n", "", "\r", "").Replace(text) {
			t.Errorf("%q was read as %v", text, key)
		}
		_, _ = ParseIdentity(text)
	})
}

func TestHostRejectsBadConfigurations(t *testing.T) {
	for want, c := range map[string]Config{"it has no name": {}, "it has no identity": {Name: "a"}} {
		if _, err := Open(newWire().end().carrier(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", c, err, want)
		}
	}
	h := host(t, newWire(), Config{Name: "a", Identity: identity(t)})
	for want, c := range map[string]PeerConfig{
		"add the peer \"a\" to the host a: a peer needs a name": {Name: "a"}, "add the peer \"\" to": {}, "public key": {Name: "b"}, "resolve the address of the peer b at \"nowhere\"": {Name: "b", Key: PublicKey{1}, Address: "nowhere"},
	} {
		if _, err := h.Peer(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", c, err, want)
		}
	}
}
