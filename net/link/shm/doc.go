// Package shm carries packets between processes of one host, through shared memory.
//
// Each link is a file in memory, /dev/shm/sinew-UID/SYSTEM/NAME (or $SINEW_SHM/SYSTEM/NAME), that only its user may open. It holds one exchange
// for each of MaxReceivers receivers: three slots and one atomic word, or a queue for buffered links. Publishing is
// wait-free: it copies the packet into the exchange of every receiver, and makes a system call only to wake a
// sleeping receiver. Every end takes a seat, a kernel lock on one byte of the file. The kernel releases it when the
// process ends for any reason; therefore each end knows whether the other exists, and which exchanges are free.
//
// A process that is killed at any instruction leaves no torn packet: a slot is handed over by one atomic exchange
// when it is complete, and taken by another. docs/reference/shared-memory.md documents the layout for programs in
// other languages.
package shm
