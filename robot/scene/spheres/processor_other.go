//go:build !amd64

package spheres

// processor returns the kernels of this processor: none.
func processor() *kernels { return nil }
