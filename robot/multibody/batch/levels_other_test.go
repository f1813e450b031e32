//go:build !amd64

package batch

func levels() map[string]*kernels { return map[string]*kernels{"portable": nil} }
