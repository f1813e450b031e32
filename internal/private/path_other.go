//go:build !linux

package private

import "fmt"

// pathLimit is the maximum length of a socket's path on all other systems, in bytes.
const pathLimit = 103

// shorten rejects a path that is too long: only Linux has another path to the same socket.
func shorten(path string) (short string, done func(), err error) {
	if len(path) > pathLimit {
		return "", nil, fmt.Errorf("socket %s: its path is longer than %d bytes; name a folder with a shorter one with %s", path, pathLimit, runtimeVariable)
	}
	return path, func() {}, nil
}
