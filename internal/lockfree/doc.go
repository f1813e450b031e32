// Package lockfree contains the wait-free exchanges on which the net is built.
//
//   - [Latest] hands the newest packet from one writer to one reader: three slots and one atomic word.
//   - [History] does so by numbers: the reader does not see what was published for later ones.
//   - [Queue] hands every packet on, in order, and drops the oldest or the newest when it is full.
//   - [Ring] carries records of any length from one writer to one reader and counts what it had to refuse.
//
// Each of them, [History] excepted, lies in plain memory without pointers, given by the caller, so that the same code serves two
// threads of one process and two processes that share a segment. Plain copies into a slot are ordered by the atomic
// operations that pass the slot's ownership: correct under the Go memory model, and checked by the race detector.
// Nothing here allocates, locks or makes a system call after construction.
package lockfree

import (
	"fmt"
	"sync/atomic"
	"unsafe"
)

// line keeps what two sides write apart: two cache lines, since hardware prefetches them in pairs.
const line = 128

// Memory returns n bytes of zeroed memory, aligned for every exchange of this package.
func Memory(n int) []byte {
	raw := make([]byte, n+line)
	skip := line - int(uintptr(unsafe.Pointer(unsafe.SliceData(raw)))%line)
	return raw[skip%line : skip%line+n : skip%line+n]
}

// roundUp returns n rounded up to a multiple of line.
func roundUp(n int) int { return (n + line - 1) / line * line }

// word returns the atomic word at byte offset off of mem.
func word(mem []byte, off int) *atomic.Uint64 {
	return (*atomic.Uint64)(unsafe.Pointer(&mem[off : off+8 : off+8][0]))
}

// mustHold panics where memory is too small or misaligned: misuse by the programmer.
func mustHold(what string, mem []byte, size int) {
	if len(mem) < size {
		panic(fmt.Sprintf("lockfree: %s needs %d bytes of memory, got %d", what, size, len(mem)))
	}
	if uintptr(unsafe.Pointer(unsafe.SliceData(mem)))%8 != 0 {
		panic("lockfree: memory for a " + what + " must be aligned to 8 bytes")
	}
}
