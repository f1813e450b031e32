// Package admin is the contract between a running system and everything that inspects or steers it: the command, scripts and
// consoles all use [System].
//
// [Local] is a system in this process. Package admin/nats offers it to other processes and hosts, and returns it there as a
// client. All implementations behave the same: package admin/admintest is their conformance suite.
//
// A parameter that is set, a call and a value by hand take effect at the start of the next activation of the block's thread: package
// net/thread takes them from its mailbox (mailbox.go) before the first block runs.
//
// # Goroutines
//
// The package starts none that outlives a call. The functions given to [Local.Tap], [Local.FollowEvents] and [Local.OnFault] run on the
// goroutine that moves messages between the threads and their front.
//
// # Values
//
// Values are those of JSON: bool, float64, int64 or uint64, string, []any and map[string]any. A value that is wrong is rejected
// at once, with an error that names it and what would be right.
package admin
