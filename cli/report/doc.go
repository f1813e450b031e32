// Package report draws what logs hold: plots of signals, and a page that tells how a run went.
//
// Everything on them is computed from the log. What a log does not hold is said so, not left blank.
package report
