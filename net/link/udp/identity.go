package udp

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"fmt"
)

// PublicKey is an X25519 public key.
type PublicKey [32]byte

// Identity is the static X25519 key pair by which a process is known to its peers.
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
		return Identity{}, err
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

// String returns the key as text, for [ParsePublicKey].
func (k PublicKey) String() string { return base64.StdEncoding.EncodeToString(k[:]) }

// ParsePublicKey reads what [PublicKey.String] wrote.
func ParsePublicKey(text string) (PublicKey, error) { return parseKey(text) }

func parseKey(text string) ([32]byte, error) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) != 32 {
		return [32]byte{}, fmt.Errorf("read a key: want 32 bytes in base64, have %d characters", len(text))
	}
	return [32]byte(raw), nil
}
