// Package run executes one process of a system: its threads, its links to other processes, its recorder, its place on the control
// plane, and its script.
//
//	r, err := run.System(ctx, sys, run.Options{})
//	if err == nil {
//		err = r.Wait()
//	}
//
// # The core and the front
//
// In real time on Linux a system is two processes of the same program. The front is the process that calls [System]. It starts
// the program a second time with the same arguments; there the same call runs the core and ends the process with it.
//
//	the program                                    the program again, as core/PROGRAM
//	───────────                                    ──────────────────────────────────
//	main                                           main
//	 └ system.Load, or a diagram                    └ system.Load, or a diagram: the same net
//	    └ run.System                                   └ run.System
//	       ├ makes the shared memory                      ├ takes the core's seat
//	       ├ recorder, control plane, script              ├ opens the links to other processes
//	       └ Running.Wait                                 └ serves the threads, without garbage collection
//	          └ starts the core, follows it                   until they are stopped, then ends the process
//	                 │                                                       │
//	                 └────────────── net/thread's Boundary ──────────────────┘
//
// An environment variable names the memory that the second process shares. It is taken out of the environment before main
// begins, so that no other process inherits it. [IsCore] reports whether a process is a core: a program that opens a port, or
// prints, before it calls System leaves that to its front.
//
// The core survives its front. [Load] and [Attach] give it another one.
//
// Core and front are one process in virtual time, with [Options].OneProcess, and on systems other than Linux.
//
// # Goroutines
//
//	goroutine                 started by         owner  bound                 end
//	one that awaits the core  launch             Wait   1                     with the core's process
//	one for an inlet that     wake               links  inlets with a thread  close, which waits for it
//	wakes a thread                                      to wake
//	the script                startScript        Wait   1                     with the script, which returns when the system has stopped
//	readiness                 reportReady        Front  1                     when all periodic threads have stepped, or the core has ended
//	kept values               begin              keeper 1                     close, when the threads have ended
package run
