// Package flow contains general-purpose blocks: sources (constants, waves, steps, noise), arithmetic, linear systems (integrators,
// derivatives, transfer functions, low passes), nonlinearities (saturations, dead zones, rate limits, tables), routing
// (multiplexers, switches, selections, holds), logic, delays, rate transitions and scopes.
//
// A vector port has the length of the port it is linked to. To a link, a vector of length 1 and a single number are
// the same, so each block exists once. No block of this package fails while it runs: numbers pass unchanged, even
// non-finite ones; but blocks with a memory leave elements that are not finite out of it, as described with each. The constraints
// on its constants are documented with each block and checked when a system is built.
package flow
