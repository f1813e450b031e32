// Package tcp carries links between hosts over TCP, for networks whose firewalls let nothing else pass. It carries the
// datagrams of net/link/remote, handshake and sealing included, one after the other, each after its length in two bytes,
// little-endian.
//
// Old data do not pile up where the stream stalls: the kernel is given little room, and what does not fit waits in the
// sender, where a newer packet takes its place.
package tcp
