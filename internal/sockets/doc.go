// Package sockets reads the kernel's tables of TCP and UDP sockets (/proc/net) on Linux: the number of the socket that listens at a
// port, and the user who runs the other end of a connection on this machine. Other systems have no such tables: there nothing is found.
package sockets
