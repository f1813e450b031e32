package remote

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"fmt"
)

// PublicKey is an X25519 public key.
type PublicKey [32]byte

// Identity is the static X25519 key pair by which a process is known to its peers. The zero value is none.
type Identity struct {
	private, public [32]byte
}

// NewIdentity makes a fresh identity.
func NewIdentity() (Identity, error) {
	key, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return Identity{}, fmt.Errorf("make an identity: %w", err)
	}
	return identityOf(key), nil
}

// ParseIdentity reads what [Identity.Secret] wrote.
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

// Public returns the key that peers may know.
func (i Identity) Public() PublicKey { return i.public }

// Secret returns the private key as text, to be kept in a file that only its owner reads.
func (i Identity) Secret() string { return base64.StdEncoding.EncodeToString(i.private[:]) }

// String returns the public key: an identity that is printed by mistake does not tell the private one.
func (i Identity) String() string { return "identity " + i.Public().String() }

// GoString is String, for %#v.
func (i Identity) GoString() string { return i.String() }

// String returns the key as text, for [ParsePublicKey].
func (k PublicKey) String() string { return base64.StdEncoding.EncodeToString(k[:]) }

// ParsePublicKey reads what [PublicKey.String] wrote: 44 characters of base64 (RFC 4648, section 4).
func ParsePublicKey(text string) (PublicKey, error) {
	key, err := parseKey(text)
	if err != nil {
		return PublicKey{}, fmt.Errorf("read a public key: %w", err)
	}
	return key, nil
}

// parseKey does not repeat the text in its errors: it may be a secret.
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
