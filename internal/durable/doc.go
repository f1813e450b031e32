// Package durable writes files that people edit: completely or not at all, and never over another writer's change.
//
// A reader sees either the old or the new content, even while a file is written, after a kill and after a power
// failure. Symbolic links stay: their targets are written. Writers of one folder take turns, in one process and
// between processes, by an advisory lock (flock) on the folder, which ends with its process. An [Edit] states which
// content it replaces and is rejected if the file has another one meanwhile.
//
// No goroutines. The next writer of a file removes the remains of a killed one.
package durable
