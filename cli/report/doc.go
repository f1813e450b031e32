// Package report draws the contents of logs: plots of signals, and a page about a run.
//
// Everything is computed from the log. Missing data are stated, not left blank.
package report
