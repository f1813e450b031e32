// Package remote holds what the transports between hosts share: identities, the handshake, sealed datagrams, and the
// ends of links. A [link.Carrier] carries its datagrams: net/link/udp, net/link/tcp, or one of your own.
//
// A [Endpoint] is one process's side: it has a name, an identity and a carrier, and serves many peers at one address.
// Each [Peer] is a link.Transport to one other process, whose name and public key are configured.
//
//	host, err := remote.Open(udp.Carrier(), remote.Config{Name: "operator", Local: ":7400", Identity: identity})
//	peer, err := host.Peer(remote.PeerConfig{Name: "robot", Address: "10.0.0.2:7400", Key: key})
//	receiver, err := peer.Receive(spec)
//
// The keys of a session come from a Noise handshake of pattern KK (Perrin, The Noise Protocol Framework, revision 34,
// 2018, section 7.5), after the caller has proven its address by a cookie; they are renewed after a time and a number
// of datagrams. Every datagram is sealed by AES-256-GCM with its counter as the nonce; a window rejects replays. A
// datagram from an unknown sender reaches no port, allocates nothing and costs bounded work.
//
// Packets longer than a datagram are split and delivered whole. Heartbeats carry the list of ends, the newest packet
// each has received, and the host's time, so that the age of packets is right however far the hosts' clocks are
// apart. Only monotonic clocks are read. A lost packet of an idle link is sent again; on a link in use the next
// packet replaces it.
//
// The wire format is docs/reference/datagrams.md.
//
// # Goroutines
//
//	goroutine  started by  owner        bound  end
//	keeper     Open        Endpoint     1      Endpoint.Close, which waits for it
//	reading                the carrier         see net/link/udp and net/link/tcp
package remote
