// Package udp carries links between two processes, mostly of two hosts, in datagrams that are encrypted and
// authenticated.
//
// Each process opens one [Transport] to the other and knows the other's public key beforehand. One of them dials:
// it has the other's address. The keys of a session come from a Noise handshake of pattern KK (Perrin, The Noise
// Protocol Framework, 2018, section 7.5): both static keys are known, so that even the first message of a stranger is
// refused. Every datagram is sealed by AES-256-GCM with its counter as the nonce; a window of 64 counters refuses
// replays. A peer's address follows its authenticated datagrams.
//
// Packets longer than a datagram are split and delivered whole. The newest packet of every link is sent again with
// each heartbeat, so that a receiver that comes late, or a lost datagram, costs one heartbeat at most.
package udp
