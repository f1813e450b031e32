// Package script runs Starlark scripts that drive a system: a sequence of commands, a test, a state machine.
//
// A script runs outside the real-time threads. The system's blocks are objects in it:
//
//	wait_until(5)                          # seconds of the system's time
//	generator.moveTo([1.0, 1.0], 10)       # calls an operation and waits for its result
//	pid1.kp = 12                           # sets a parameter
//	if abs(joint1.position - 1) > 0.01:    # reads a port
//	    log("joint 1 is not there")
//	wait_for(lambda: joint1.position > 0.9, timeout = 3)
//	wait_event(sampler.sample)             # returns the event's data
//	stop()
//
// States with transitions on conditions, events and time are a [machine]. In virtual time a script is part of the
// system: time stands still while it computes, and the run is the same every time.
//
// A mistake in a script names file, line and column and the nearest right name. It ends the script, not the system.
//
// # State machines
//
//	machine("rest", {
//	    "rest": state(entry = lambda: log("resting"), to = [after(2, "move")]),
//	    "move": state(entry = go, to = [when(arrived, "done"), on(joint1.stalled, "rest")]),
//	    "done": state(),                   # no way out: the machine ends, and returns "done"
//	})
//
// On entering a state its entry function runs, on leaving it its exit function. The first transition that applies, in
// the order of writing, is taken.
//
// [machine]: https://pkg.go.dev/github.com/sinew-robotics/sinew/net/script#hdr-State_machines
package script
