// Package thread executes a net: it runs the blocks of each thread in their static order, periodically or when
// something new has come, in real time or in virtual time.
//
// # The core and the front
//
// A running system has two sides. The core is the threads: they allocate nothing, take no lock and make no system call
// but their own sleep. The front is everything else: files, tools, scripts, the log. Between them, and nowhere else,
// lies a Boundary: plain memory with rings and counters for each thread. It belongs to one process (New), or is shared
// by two (NewCore, NewFront), so that the core's process needs no garbage collector and survives the front.
//
//	front → core   mailbox   changes of parameters, calls of operations, values fed by hand, taps
//	core → front   replies   the answers, and faults
//	core → front   live      samples of tapped ports, for tools
//	core → front   log       samples of tapped ports, for the recorder
//	core → front   counters  activations, slips, histograms of lateness and execution time
//	core → front   links     the states of the ends of links to other processes, five times a second
//	core → front   pace      how well the time keeps to that of a leader in another process
//	core → front   head      what the core is doing, its notices, the error it ended with
//
// A thread serves at most MaxMessages messages at the start of an activation, so that no flood of questions can delay
// it. A ring that is full loses samples, counts them, and never makes the thread wait.
//
// # An activation
//
//	mail → foreign inputs → delayed links → steps in static order → foreign outputs → wake-ups → samples
//
// # Goroutines
//
//	goroutine          owner         bound                 end
//	one for a thread   Core.Serve    threads of the net    stop flag, within stopLatency and one activation
//	links              Core.Serve    1                     when the threads have ended
//	the core           Core.Run      1                     when its threads have ended
//	log                Front.Follow  1                     when the core has ended
//	tasks              Front.Go      the caller's          when the core has ended
package thread
