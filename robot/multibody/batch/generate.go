package batch

//go:generate go run ./internal/kernels
