// Package tcp is the carrier tcp: it carries links between hosts over TCP, for networks whose firewalls block UDP. It carries the datagrams
// of net/link/remote, handshake and sealing included, one after the other, each after its length in two bytes,
// little-endian.
//
// Old data do not pile up when the stream stalls: the kernel's buffer is kept small, and a packet that does not fit
// waits in the sender, where a newer packet replaces it.
//
// # Goroutines
//
//	goroutine         started by  owner    bound                         end, all within Endpoint.Close
//	accept            Serve       carrier  1                             with the listener
//	reader, a stream  accept      carrier  peers and 64 unknown         when the stream ends, or 5 s without a peer's datagram
//	writer, a stream  add         carrier  as the readers                when the stream ends
//	dial, an address  dial        carrier  1 for each address that       after 5 s, or connected: then it is the reader
//	                                       has been resolved
package tcp
