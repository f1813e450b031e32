// Package exchange moves data while a net runs: between the threads of a process and between processes.
//
// Package diagram plans which of these a thread has; package thread calls them in each activation. None of them allocates,
// takes a lock or waits.
//
//	type           carries                                                    at
//	Channel        what one thread has for another of the same process        end of a phase of the one, start of one of the other
//	Transfer       selected, delayed or thinned-out values within a thread    start of the reading step
//	Recoding       values of an encoded link within a process                 with their transfer
//	Outlet, Inlet  packets of links to and from other processes               end, start of a phase
//	Caller, Server calls of operations in other processes                     start and end
//	TickSender,    the time of a thread, which others follow in other         start
//	Leader         processes
//	Timeout        nothing: it watches the age of an input's value            before the reading step
//	MissWriter     the names of values that were not there at their ticks     end of an activation
//	Wake           nothing: it reports whether a triggered thread must run    end of a phase
//
// An [Outlet] and an [Inlet] are the two ends of a link between processes. They encode and decode; what carries their packets
// is a transport of package link, whose ends are bound to them before the net runs. [Outlet.State] and [Inlet.State] return
// the state of such an end as a [link.State], which travels unchanged to logs, tools and pages.
package exchange
