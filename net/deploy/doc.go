// Package deploy makes one system of several processes: it opens the links between them ([Wire]) and starts, watches and
// stops them ([Plan], [Supervise]).
//
// A supervisor is a process of its own on each host. It starts the processes of a plan in the order of their needs, waits
// until each is ready, starts those again whose policy says so, and stops all in reverse order when it is told to. It does
// not need the console that started it. What it knows lies in a folder of the system: its socket, the state of each process,
// and their output.
//
// # Goroutines
//
//	goroutine           owner      bound                end
//	one for a process   Supervise  processes of a plan  when the supervisor stops
//	connections         Supervise  1 at a time          with its request
package deploy
