package spheres

//go:generate go run ./internal/kernels
