// Package systems opens the running systems that the console shows, and shares them between pages.
//
//	Source ──► Pool ──► System ──► pages, robots, files, watches
//	running    opened    one tap for each port and rate
//
// A [Pool] opens each system once and keeps it open until it has ended. It remembers the files and the command of systems that have
// ended, so that they can be edited and started again.
//
// After samples were lost on the way from a system, the ports of taps that have become silent are read again: without that a page would show
// an old value until the port changes.
//
// # Goroutines
//
//	goroutine        started by  owner   bound                          end
//	one that closes  Get         Pool    1 a system that has ended, or  when the system is closed; Pool.Close waits for it
//	a system                             was opened during Pool.Close
//	fresh values     begin       System  1 a system that counts losses, when the system is closed
//	                                     and 16 that read at once
//
// Samples of taps come on goroutines of the systems.
package systems
