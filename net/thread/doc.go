// Package thread executes a net: it runs the blocks of each thread in their static order, periodically or when
// something new has come, in real time or in virtual time.
//
// # The core and the front
//
// A running system has two sides. The core is the threads: they allocate nothing, take no lock and make no system
// call but their own sleep. The front is everything else: files, tools, scripts, the log. Between them, and nowhere
// else, lies one [Boundary] for each thread, made of rings of plain bytes and of counters:
//
//	front → core   mailbox   changes of parameters, calls of operations, values fed by hand, taps
//	core → front   replies   the answers, and faults
//	core → front   live      samples of tapped ports, for tools
//	core → front   log       samples of tapped ports, for the recorder
//	core → front   stats     activations, slips, histograms of lateness and execution time
//
// A thread serves at most MaxMessages messages at the start of an activation, so that no flood of questions can
// delay it. A ring that is full loses samples, counts them, and never makes the thread wait.
//
// # An activation
//
//	mail → foreign inputs → delayed links → steps in static order → foreign outputs → wake-ups → samples
//
// # Goroutines
//
//	goroutine          owner       bound                 end
//	one for a thread   Core.Run    threads of the net    stop flag, within stopLatency and one activation
//	pump               Core.Run    1                     when the threads have ended
//	recorder           Core.Run    1, if there is a log  after the pump, when its ring is empty
package thread
