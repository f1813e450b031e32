// Package guard is the example of a vehicle that slows down near what a laser scanner sees, simulated or real by one line: guard.yaml has
// the commands. Its tests run it in virtual time with either, the real one emulated on a pseudo-terminal.
package guard
