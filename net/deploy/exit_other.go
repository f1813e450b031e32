//go:build !linux

package deploy

// awaitExit returns when a child has ended.
func awaitExit(_ int, wait func() error) { _ = wait() }
