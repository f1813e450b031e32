package neighbor

//go:generate go run ./internal/kernels
