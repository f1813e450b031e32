// Package persist holds the values of blocks that outlive a run: those of parameters and state fields with the tag persist, one file for
// each process of a system, in the user's folder for state.
//
//	$XDG_STATE_HOME/sinew/kept/SYSTEM.json            default of XDG_STATE_HOME: ~/.local/state
//	$XDG_STATE_HOME/sinew/kept/SYSTEM.PROCESS.json
//
// A file is written whole or not at all: after a kill or a power failure it holds the values of the last write or those of the one
// before. One run at a time writes a file: it holds its lock.
//
// No goroutines.
package persist
