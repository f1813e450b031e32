package link

import (
	"fmt"
	"net/netip"
	"time"
)

// Carrier is a way to carry links from host to host. A program registers it beside its blocks; system files name it with the key
// network, and sinew bridge with --network. It carries datagrams in any order, each whole or not at all: net/link/remote seals them,
// splits packets and repeats what an idle link has lost.
type Carrier struct {
	// Name is the carrier's name in system files, as in udp: letters, digits, - and _.
	Name string
	// Doc is one sentence, for messages and help.
	Doc string
	// Check returns what is wrong with an address of the carrier's own form. Nil means that addresses are HOST:PORT in the Internet
	// protocol, which sinew finds itself where a system file gives none.
	Check func(address string) error
	// Open opens this host's side at an address. The error is an explanation without the address.
	Open func(address string) (Datagrams, error)
	// MaxDatagram is the longest datagram in bytes, at least [MinDatagram]. It is part of the carrier: both sides must have the same.
	MaxDatagram int
	// MaxPeers is the number of peers that one side may have; 0: any.
	MaxPeers int
	// Period is the period of heartbeats, of which each peer sends 48 bytes and 40 for each end of a link; 0 means 100 ms. A peer is lost
	// after three periods without a datagram.
	Period time.Duration
	// Rate returns how many bytes a second an address carries in each direction; 0: unknown. Nil means that the carrier has no such limit.
	Rate func(address string) float64
	// Frame is how many bytes the carrier adds to each datagram, at least. With Rate it shows whether links need more than a line carries.
	Frame int
}

// MinDatagram is the least MaxDatagram of a carrier, in bytes: a handshake and a heartbeat fit into it.
const MinDatagram = 128

// Validate returns what is wrong with the declaration of a carrier.
func (c *Carrier) Validate() error {
	if err := checkName("carrier", c.Name); err != nil {
		return err
	}
	switch {
	case c.Open == nil:
		return fmt.Errorf("carrier %s has no Open", c.Name)
	case c.MaxDatagram < MinDatagram || c.MaxDatagram > 65507:
		return fmt.Errorf("carrier %s: MaxDatagram is %d bytes, want %d to 65507", c.Name, c.MaxDatagram, MinDatagram)
	case c.MaxPeers < 0 || c.Period < 0:
		return fmt.Errorf("carrier %s: MaxPeers is %d and Period %v, want none below 0", c.Name, c.MaxPeers, c.Period)
	}
	return nil
}

// Datagrams is one host's open side of a [Carrier].
type Datagrams interface {
	// Serve starts passing received datagrams to h. It is called once, and returns immediately.
	Serve(h Host)
	// Write sends a copy of a datagram of at most MaxDatagram bytes. It neither waits nor allocates, and any goroutine may call it. It
	// returns false if there is no room now, and true if the datagram is under way or lost. A side that has returned false calls
	// Host.Ready when there is room again.
	Write(d []byte, to Address) bool
	// Resolve returns the address of a peer.
	Resolve(address string) (Address, error)
	// Addr returns the address of this side.
	Addr() Address
	// Close stops all reading, and returns when no call of the host is running.
	Close() error
}

// Host takes what a carrier receives: it is an endpoint of net/link/remote.
type Host interface {
	// Take handles a received datagram, which it may change but does not keep. It reports whether the datagram came from a peer.
	Take(d []byte, from Address) bool
	// Ready notes that there is room again for datagrams to the address.
	Ready(to Address)
}

// Address is where datagrams come from and go to: an address of the Internet protocol, or a name in the carrier's own form. Two are
// the same if they are equal (==); the zero value is no address.
type Address struct {
	IP   netip.AddrPort
	Name string // if there is no IP
}

// IsValid reports whether there is an address.
func (a Address) IsValid() bool { return a != Address{} }

// String returns the address as text.
func (a Address) String() string {
	if a.Name != "" {
		return a.Name
	}
	return a.IP.String()
}
