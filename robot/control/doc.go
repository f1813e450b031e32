// Package control holds control laws and filters as plain structs: what runs once per sample of a control loop.
//
// Every law is a struct with its tuning and its state, and a method Step that is called once per sampling period.
// Nothing here knows about ports, threads or devices, nothing starts a goroutine and no Step allocates, so the laws
// can be used alone, in tests or inside a block of the runtime.
//
// All quantities are in SI units and radians unless the law is indifferent to them.
//
// # Bad samples
//
// A sensor that fails may deliver NaN or an infinity. No law lets such a sample into its state: Step then returns its
// last good result and ok == false, and goes on as if the sample had not come. The Kalman filters, where more than a sample can be wrong, return
// an error instead: ErrNotFinite, ErrCovariance or ErrInnovation. Wrong tuning (a negative cutoff
// frequency, a zero period, matrices of the wrong size) is a mistake of the programmer and panics when the law is
// made, never in Step.
package control
