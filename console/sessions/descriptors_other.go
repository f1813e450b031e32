//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package sessions

// descriptors returns how many files the process may open.
func descriptors() int { return fewDescriptors }
