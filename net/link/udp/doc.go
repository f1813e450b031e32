// Package udp is the carrier udp: it carries links between hosts in UDP datagrams, one per packet if it fits. The rest (identities, sealing,
// ends) is in net/link/remote.
//
// On Linux, if exactly one goroutine waits in Receive, it reads the socket itself and a packet wakes it directly. If several
// wait, a thread of the endpoint reads and wakes the one whose packet arrived. System calls bypass the Go network poller, which
// would double the latency.
//
// # Goroutines
//
//	goroutine         started by  owner    bound                       end, both within Endpoint.Close
//	reader            Serve       carrier  1                           with its socket
//	reader of a peer  Open        carrier  1 a peer, where the system  with the peer or the carrier
//	                                       can connect sockets
package udp
