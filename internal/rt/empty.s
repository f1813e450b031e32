// This file is empty. It lets the compiler accept functions without bodies, which go:linkname finds in the runtime.
