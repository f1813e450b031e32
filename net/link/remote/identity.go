package remote

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"fmt"
)

// PublicKey is an X25519 public key.
type PublicKey [32]byte

// Identity is the static X25519 key pair that identifies a process to its peers. The zero value means none.
type Identity struct {
	private, public [32]byte
}

// NewIdentity returns a new random identity.
func NewIdentity() (Identity, error) {
	key, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return Identity{}, fmt.Errorf("create an identity: %w", err)
	}
	return identityOf(key), nil
}

// ParseIdentity parses the text of [Identity.Secret]. Errors do not quote the text.
func ParseIdentity(text string) (Identity, error) {
	raw, err := parseKey(text)
	if err != nil {
		return Identity{}, fmt.Errorf("read an identity: %w", err)
	}
	key, err := ecdh.X25519().NewPrivateKey(raw[:])
	if err != nil {
		return Identity{}, fmt.Errorf("read an identity: %w", err)
	}
	return identityOf(key), nil
}

func identityOf(key *ecdh.PrivateKey) Identity {
	return Identity{[32]byte(key.Bytes()), [32]byte(key.PublicKey().Bytes())}
}

// Public returns the public key, which peers need.
func (i Identity) Public() PublicKey { return i.public }

// Secret returns the private key as text. Keep it in a file that only its owner can read.
func (i Identity) Secret() string { return base64.StdEncoding.EncodeToString(i.private[:]) }

// String returns the public key, so that printing an identity does not reveal the private one.
func (i Identity) String() string { return "identity " + i.Public().String() }

// GoString returns String, for %#v.
func (i Identity) GoString() string { return i.String() }

// String returns the key as text, for [ParsePublicKey].
func (k PublicKey) String() string { return base64.StdEncoding.EncodeToString(k[:]) }

// ParsePublicKey parses the text of [PublicKey.String]: 44 characters of base64 (RFC 4648, section 4). Other texts are errors.
func ParsePublicKey(text string) (PublicKey, error) {
	key, err := parseKey(text)
	if err != nil {
		return PublicKey{}, fmt.Errorf("read a public key: %w", err)
	}
	return key, nil
}

// parseKey parses a key. Its errors do not quote the text, which may be a secret.
func parseKey(text string) ([32]byte, error) {
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	switch {
	case err != nil:
		return [32]byte{}, fmt.Errorf("want 44 characters of base64, have %d: %w", len(text), err)
	case len(raw) != 32:
		return [32]byte{}, fmt.Errorf("want 32 bytes in base64, have %d", len(raw))
	case [32]byte(raw) == [32]byte{}:
		return [32]byte{}, fmt.Errorf("want a key, have zeros")
	}
	return [32]byte(raw), nil
}
