// Package recordings reads logs (MCAP) for the console's pages: which ones there are, which signals they hold, and what those were in a span
// of time.
//
//	folder of the system file ──► list ──► open log ──► span of a signal, thinned out to its extremes
//
// Only listed logs can be opened. An open log is found by an ID that changes with its file.
//
// Goroutines: none. [Recordings] is safe for concurrent use; one log is read by one request at a time.
//
// Limits: the newest 200 logs are listed; 8 are open, of which the least recently used is closed for another; 4,096 signals in a
// request, each once, 32,768 points of each and 262,144 of all.
package recordings
