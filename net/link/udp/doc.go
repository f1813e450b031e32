// Package udp carries links between hosts in UDP datagrams, one a packet where it fits. All the rest (identities, sealing,
// ends) is net/link/remote's.
//
// On Linux a goroutine that waits in Receive reads the socket itself where it is the only one that waits: a packet wakes it
// without any detour. Where several wait, a thread of the host reads, and wakes the one whose packet came. System calls go
// past the Go network poller, which would double the latency.
package udp
