// Package thread executes a net: it runs the blocks of each thread in their static order, periodically or when new data
// arrives, in real time or in virtual time.
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
//	core → front   pace      how closely the time follows a leader in another process
//	core → front   kept      values of blocks that outlive the run, after each activation
//	core → front   head      the core's phase, its notices, the error it ended with
//
// A thread serves at most MaxMessages messages at the start of an activation, so that a flood of requests cannot delay it. A
// full ring drops samples and counts them; the thread never waits.
//
// # An activation
//
//	mail → foreign inputs → delayed links → steps in static order → foreign outputs → wake-ups → samples
//
// Parameters take effect with the mail, so all blocks of the thread see a change in the same activation.
//
// A thread with two-way blocks takes foreign inputs, executes steps and hands over foreign outputs twice: for Sense, then for
// Control (the phases of [diagram.ThreadPlan]).
//
// # A thread that hangs
//
// The goroutine of Core.Serve counts the activations that each thread finishes. If a thread finishes none within its watchdog's
// time, Core.Serve takes over the right to publish and publishes the declared safe values of the thread's outputs. The thread
// takes the right back when it continues. On stop, Core.Serve waits for a hung thread at most stopGraceMost; the blocks of all
// other threads are stopped and closed, each within a limited time.
//
// # Goroutines
//
//	goroutine         started by   owner            bound               end
//	one for a thread  drive        Core.Serve       threads of the net  stop flag, within stopLatency and one activation
//	links             Serve        Core.Serve       1                   when the threads have ended
//	one for a block   begin        Core.Serve       1, and those that   when Start, Stop or Close of the block returns
//	                                                hang
//	one for a task    begin        Activity         tasks of RunIn      when the task returns, at the latest with its thread
//	virtual time      run          Core.RunVirtual  1                   stop flag, or Options.Until
//	the core          Run          Core.Run         1                   when its threads have ended
//	log               Follow       Front.Follow     1                   when the core has ended
//	tasks             launch       Front.Go         the caller's        when the core has ended
package thread
