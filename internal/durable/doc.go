// Package durable writes files that people edit: completely or not at all, and never over another writer's change.
//
// A reader sees either the old or the new content, even while a file is written, after a kill and after a power
// failure. Symbolic links stay: their targets are written. Writers of one user in one folder take turns, in one process
// and between processes, by a lock file in the user's private folder (see internal/private), which other users cannot
// lock; a lock ends with its process. An [Edit] states which content it replaces and is rejected if the file has
// another one meanwhile.
//
// # Limits
//
// Writers of different users, or of sessions with different private folders, are separated only by that comparison.
//
// No goroutines. The next writer of a file removes the remains of a killed one.
package durable
