// Package shm carries packets between processes of one host, through memory that they share.
//
// Each link is a file in memory, /dev/shm/sinew-UID/SYSTEM/NAME, that only its user may open. It holds one exchange for
// each of MaxReceivers receivers: three slots and one atomic word, or a queue for buffered links. Publishing is
// wait-free: it copies the packet into the exchange of every receiver, and makes a system call only to wake one that
// sleeps. Every end takes a seat, a lock of the kernel on one byte of the file: it falls free when the process ends,
// however it ends, and so each end knows whether the other is there, and whose exchange may be given away.
//
// A process that is killed at any instruction leaves no torn packet behind: a slot is given away by one atomic exchange
// when it is whole, and taken by another. The layout is documented in docs/reference/shared-memory.md, for programs in other
// languages.
package shm
