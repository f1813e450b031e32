package schema

// numbers is a range of CDR with numbers of one kind.
type numbers struct {
	kind   Kind
	cdr, n int // offset of the first, and how many there are
}

// addNumbers adds a range, which may continue the last one.
func (l *Layout) addNumbers(s numbers) {
	if i := len(l.numbers) - 1; i >= 0 && l.numbers[i].kind == s.kind && l.numbers[i].cdr+l.numbers[i].n*s.kind.Size() == s.cdr {
		l.numbers[i].n += s.n
		return
	}
	l.numbers = append(l.numbers, s)
}

// Outside returns the offset in cdr of the first number that is NaN, below lo or above hi, or -1 if there is none or
// the data do not have the layout's size. Bools are not checked. It does not allocate.
func (l *Layout) Outside(cdr []byte, lo, hi float64) int {
	if len(cdr) != l.size && (l.bound == nil || l.checkSize(cdr) != nil) {
		return -1
	}
	for _, s := range l.numbers {
		leaf := Leaf{Kind: s.kind, Offset: s.cdr}
		for range min(s.n, (len(cdr)-s.cdr)/s.kind.Size()) {
			if x := leaf.Float(cdr); !(x >= lo && x <= hi) {
				return leaf.Offset
			}
			leaf.Offset += s.kind.Size()
		}
	}
	return -1
}
