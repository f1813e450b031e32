// Package curve holds functions of one real variable, usually time, whose value and derivatives of every order are
// known exactly: the stuff that motions are made of.
//
// A [Function] has one real value. Nothing here depends on what the variable and the value mean; where it is a motion
// the variable is time in seconds and the value a position in rad or m.
//
// Functions are built from what is known about them (values and derivatives at their ends, points to pass through) by
// constructors that may allocate. Evaluation allocates nothing and takes no lock, so functions can be evaluated in
// the control cycle, by many goroutines at once.
package curve
