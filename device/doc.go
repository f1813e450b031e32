// Package device is the contract between a program and hardware: one life cycle that all devices share, and small
// interfaces, facets, for what a device or a part of it can sense and do.
//
// A driver is a Go type that implements [Device] and hands out its facets, on itself or on parts such as the axes of
// a robot. It passes the conformance suite in package devicetest.
//
// # Cyclic exchange
//
// A device has no thread of its own. Its owner calls Step once per control cycle, and Step alone exchanges data with the
// hardware: it sends the commands that the facets were given since the last Step and takes in new readings. Facets only read and
// write memory, so a controller sees one consistent set of readings in a cycle, and all its commands leave together.
//
// Facets and Step are called from one goroutine, or one at a time. Neither allocates: both belong to the control cycle.
//
// # Safe state
//
// A device that is not started is safe: motors without power, brakes applied. Start begins the exchange but powers
// nothing; that is asked for actuator by actuator. Stop, Close and the failure of a step lead back to the safe state.
package device
