//go:build !amd64

package spheres

// levels returns all kernels that this processor runs, by name: none.
func levels() map[string]*kernels { return nil }
