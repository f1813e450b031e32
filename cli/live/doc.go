// Package live holds the helpers of verbs about running systems: values, durations and statistics as text, styles on
// a terminal, and saving tuned parameters to the system's files.
package live
