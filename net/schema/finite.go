package schema

import "unsafe"

// floats is a range of memory with floating-point numbers of one kind.
type floats struct {
	run
	kind Kind
}

// addFloats adds a range, which may continue the last one in memory.
func (l *Layout) addFloats(f floats) {
	if i := len(l.floats) - 1; i >= 0 {
		if last := &l.floats[i]; last.kind == f.kind && last.slice == f.slice && last.mem+uintptr(last.n) == f.mem {
			last.n += f.n
			return
		}
	}
	l.floats = append(l.floats, f)
}

// HasFloats reports whether values of the layout have floating-point numbers, so that [Layout.Finite] can be false.
func (l *Layout) HasFloats() bool { return len(l.floats) > 0 }

// Finite reports whether no floating-point number of the value at p is NaN or infinite. p points to a value as for
// [Layout.Encode]; where Encode would write nothing, Finite returns true. It panics if the Type has no Go memory; it does not
// allocate.
func (l *Layout) Finite(p unsafe.Pointer) bool {
	if l.typ.goType == nil || l.bound != nil || !l.fits(p) {
		return l.finiteBounded(p)
	}
	for i := range l.floats {
		f := &l.floats[i]
		if !f.finite(l.memory(p, &f.run)) {
			return false
		}
	}
	return true
}

// finiteBounded is Finite for values of a bounded slice, and for those that Encode refuses.
func (l *Layout) finiteBounded(p unsafe.Pointer) bool {
	l.mustHaveMemory()
	if l.bound == nil || (*sliceHeader)(p).len > l.typ.most {
		return true
	}
	end := uintptr((*sliceHeader)(p).len) * l.typ.elem.memory() // of the memory in use
	for i := range l.floats {
		f := &l.floats[i]
		if f.mem >= end {
			break
		}
		part := f.run
		part.n = int(min(uintptr(f.n), end-f.mem))
		if !f.finite(l.memory(p, &part)) {
			return false
		}
	}
	return true
}

// finite reports whether all numbers in memory, which has those of the range or the first of them, are finite.
func (f *floats) finite(memory []byte) bool {
	first := unsafe.Pointer(unsafe.SliceData(memory))
	if f.kind == Float64 {
		return allFinite(unsafe.Slice((*uint64)(first), len(memory)/8), 0x7ff<<52)
	}
	return allFinite(unsafe.Slice((*uint32)(first), len(memory)/4), 0xff<<23)
}

// allFinite reports whether none of the numbers has all bits of its exponent set, as NaN and the infinities have.
func allFinite[B uint32 | uint64](numbers []B, exponent B) bool {
	for _, b := range numbers {
		if b&exponent == exponent {
			return false
		}
	}
	return true
}
