// Package remote is what the transports between hosts share: identities, the handshake, sealed datagrams, and the ends of
// links. The packages net/link/udp and net/link/tcp carry its datagrams.
//
// A [Host] is one process's side: it has a name, an identity and a carrier, and serves many peers at one address. Each
// [Peer] is a link.Transport to one other process, whose name and public key are known beforehand.
//
//	host, err := udp.Open(remote.Config{Name: "desk", Local: ":7400", Identity: identity}) // or tcp.Open
//	peer, err := host.Peer(remote.PeerConfig{Name: "robot", Address: "10.0.0.2:7400", Key: key})
//	receiver, err := peer.Receive(spec)
//
// The keys of a session come from a Noise handshake of pattern KK (Perrin, The Noise Protocol Framework, revision 34,
// 2018, section 7.5), after the caller's address has proven itself by a cookie; they are renewed by time and by count.
// Every datagram is sealed by AES-256-GCM with its counter as the nonce; a window refuses replays. What a stranger sends
// reaches no port, allocates nothing and costs bounded work.
//
// Packets longer than a datagram are split and delivered whole. Heartbeats tell the peer which ends there are, what they
// have got, and what time it is: the age of packets is right however far the hosts' clocks are apart. Only monotonic clocks
// are read. What was lost of a link at rest is sent again; of a link in use, the next packet makes up for it.
//
// The wire format is docs/reference/datagrams.md.
package remote
