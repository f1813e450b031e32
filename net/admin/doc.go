// Package admin is the one way to look into a running system and to steer it: the command, scripts and consoles all
// use [System].
//
// [Local] is a system in this process. [Listen] serves it on a Unix socket under its name, and [Dial] reaches it from
// another process. Both behave the same: one conformance test runs on both.
//
// Values are those of JSON: bool, float64, int64 or uint64, string, []any and map[string]any. Whoever sets something
// is told at once what is wrong with it: the name, the value, what would be right.
package admin
