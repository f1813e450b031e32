// This file lets the package declare functions without a body, which go:linkname gives one.
