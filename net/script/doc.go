// Package script runs Starlark scripts that drive a system: command sequences, tests, state machines.
//
// The script of a system runs outside the threads. The system's blocks are objects in the script:
//
//	wait_until(5)                          # seconds of the system's time
//	generator.moveTo([1.0, 1.0], 10)       # calls an operation and waits for its result
//	pid1.kp = 12                           # sets a parameter
//	if abs(joint1.position - 1) > 0.01:    # reads a port
//	    log("joint 1 is not there")
//	wait_for(lambda: joint1.position > 0.9, timeout = 3)
//	wait_event(sampler.sample)             # returns the event's data
//	late = wait_event(sampler.sample, timeout = 1, otherwise = None) == None
//	stop()
//
// States with transitions on conditions, events and time are a [machine]. In virtual time a script is part of the
// system: time does not advance while the script computes, and each run is the same.
//
// The script of a block ([Program.RunFor]) runs in the block's activity, as program scripts and state machines run in that of a component of
// Orocos. The system that it gets serves its requests at once, and each wait ends the step of the block; conditions are
// checked in each step.
//
// A wait that times out is an error, unless it names a value to return then, as otherwise = False. An error message names
// file, line and column and suggests the nearest known name. An error ends the script, not the
// system.
//
// # State machines
//
//	machine("rest", {
//	    "rest": state(entry = lambda: log("resting"), to = [after(2, "move")]),
//	    "move": state(entry = go, to = [when(arrived, "done"), on(joint1.stalled, "rest")]),
//	    "done": state(),                   # no way out: the machine ends, and returns "done"
//	})
//
// Entering a state runs its entry function, leaving it its exit function. The first applicable transition, in the
// order of the list, is taken.
//
// # Goroutines
//
//	goroutine  started by  owner    bound       end
//	halt       open        session  1 a script  with its script or its prompt; ends the script when the system stops
//
// [machine]: https://pkg.go.dev/github.com/sinew-robotics/sinew/net/script#hdr-State_machines
package script
