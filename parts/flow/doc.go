// Package flow is the blocks that every net needs whatever it controls: constants, waves, gains, sums, multiplexers,
// delays, rate transitions, switches and scopes.
//
// A vector port is as long as what it is linked to. A vector of length 1 and a single number are the same to a link,
// so no block comes in two kinds. No block of this package fails while it runs: numbers pass as they are, also those
// that are not finite. What its constants must be is said with each block and checked when a system is built.
package flow
