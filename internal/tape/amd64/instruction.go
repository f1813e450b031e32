package amd64

// operand returns the text of x where it may be in memory, and the suffix that the instruction then needs.
func (a *allocator) operand(x int) (text, suffix string) {
	if r := a.in[x]; r >= 0 {
		return a.register(r), ""
	}
	if a.broadcast(x) {
		return a.home[x], ".BCST"
	}
	return a.home[x], ""
}

// plain writes an operation that leaves its operands alone and returns the register of its result.
func (a *allocator) plain(n *node) int {
	r := a.dying(n.args)
	if r < 0 {
		r = a.allocate()
	}
	x := n.args[0]
	y := n.args[len(n.args)-1]
	if commutes(n.op) && a.in[x] < 0 {
		x, y = y, x
	}
	switch n.op {
	case sqrt:
		text, suffix := a.operand(x)
		a.write("VSQRT%s%s %s, %s", a.packed(), suffix, text, a.register(r))
	case neg:
		a.bits("VXOR", signBit, a.in[x], r)
	case abs:
		a.bits("VAND", notSign, a.in[x], r)
	case whole:
		name := "VROUND"
		if a.level == AVX512 {
			name = "VRNDSCALE"
		}
		text, suffix := a.operand(x)
		a.write("%s%s%s $0, %s, %s", name, a.packed(), suffix, text, a.register(r))
	case widest:
		a.widest(a.in[x], r)
	default:
		text, suffix := a.operand(y)
		a.write("%s%s%s %s, %s, %s", mnemonic[n.op], a.packed(), suffix, text, a.register(a.in[x]), a.register(r))
	}
	return r
}

var mnemonic = map[opcode]string{add: "VADD", sub: "VSUB", mul: "VMUL", div: "VDIV", least: "VMIN", most: "VMAX"}

// commutes reports whether the operands of an operation may change places.
func commutes(o opcode) bool { return o == add || o == mul || o == least || o == most }

// packed returns the end of the names of instructions: what numbers they take.
func (a *allocator) packed() string {
	if a.single {
		return "PS"
	}
	return "PD"
}

// bits writes an operation of a register with the bit pattern of a constant.
func (a *allocator) bits(name string, pattern float64, from, to int) {
	suffix := ""
	if a.level == AVX512 {
		suffix = ".BCST"
	}
	a.write("%s%s%s %s, %s, %s", name, a.packed(), suffix, a.place.constant(pattern), a.register(from), a.register(to))
}

// widest writes the greatest number of a register to all places of another one: halves, quarters, pairs and neighbors change places.
func (a *allocator) widest(from, to int) {
	a.pinned[to], a.holds[to] = true, a.holds[from] // so that it is not the spare one
	spare := a.register(a.allocate())
	a.pinned[to] = to == from
	if a.level == AVX512 {
		a.write("VSHUFF32X4 $0x4e, %s, %s, %s", a.register(from), a.register(from), spare)
		a.write("VMAXPS %s, %s, %s", a.register(from), spare, a.register(to))
		a.write("VSHUFF32X4 $0xb1, %s, %s, %s", a.register(to), a.register(to), spare)
		a.write("VMAXPS %s, %s, %s", spare, a.register(to), a.register(to))
	} else {
		a.write("VPERM2F128 $1, %s, %s, %s", a.register(from), a.register(from), spare)
		a.write("VMAXPS %s, %s, %s", a.register(from), spare, a.register(to))
	}
	for _, turn := range []int{0x4e, 0xb1} {
		a.write("VPERMILPS $%#x, %s, %s", turn, a.register(to), spare)
		a.write("VMAXPS %s, %s, %s", spare, a.register(to), a.register(to))
	}
}

// leave writes the end of a pass of a loop that may be its last: R15 gets a bit for each lane where x ≤ y.
func (a *allocator) leave(n *node) int {
	x, y := n.args[0], n.args[1]
	r := a.dying(n.args)
	if r < 0 {
		r = a.allocate()
	}
	text, suffix := a.operand(y)
	if a.level == AVX512 {
		a.write("VCMPPS%s $2, %s, %s, K1", suffix, text, a.register(a.in[x]))
		a.write("KMOVW K1, R15")
	} else {
		a.write("VCMPPS $2, %s, %s, %s", text, a.register(a.in[x]), a.register(r))
		a.write("VMOVMSKPS %s, R15", a.register(r))
	}
	a.write("TESTL R15, R15")
	a.write("JNZ done")
	return r
}

// broadcastTo fills a register with one number.
func (a *allocator) broadcastTo(from string, r int) {
	name := "VBROADCASTSD"
	if a.single {
		name = "VBROADCASTSS"
	}
	a.write("%s %s, %s", name, from, a.register(r))
}

// fuse writes ±x y ± z and returns the register of its result, which is that of an operand: one that is not needed any
// more or a copy.
func (a *allocator) fuse(n *node) int {
	x, y, z := n.args[0], n.args[1], n.args[2]
	name := "VFMADD"
	switch {
	case n.minusProduct && n.minusZ:
		name = "VFNMSUB"
	case n.minusProduct:
		name = "VFNMADD"
	case n.minusZ:
		name = "VFMSUB"
	}
	dies := func(x int) bool { return a.in[x] >= 0 && len(a.uses[x]) == 0 }
	if a.in[x] < 0 {
		x, y = y, x // so of x and y only y can be in memory
	}
	switch {
	case dies(z): // z = x y + z
		return a.fused(name+"231", y, x, a.in[z])
	case dies(x) && a.in[y] >= 0: // x = y x + z
		return a.fused(name+"213", z, y, a.in[x])
	case dies(x): // x = x y + z
		return a.fused(name+"132", y, z, a.in[x])
	case dies(y) && y != x:
		return a.fused(name+"213", z, x, a.in[y])
	}
	r := a.allocate()
	if a.in[z] < 0 {
		text, suffix := a.operand(z)
		if suffix != "" {
			a.broadcastTo(text, r)
		} else {
			a.write("VMOVUPD %s, %s", text, a.register(r))
		}
	} else {
		a.write("VMOVAPD %s, %s", a.register(a.in[z]), a.register(r))
	}
	return a.fused(name+"231", y, x, r)
}

// fused writes one multiply-and-add; only its operand from may be in memory.
func (a *allocator) fused(name string, from, register, to int) int {
	text, suffix := a.operand(from)
	a.write("%s%s%s %s, %s, %s", name, a.packed(), suffix, text, a.register(a.in[register]), a.register(to))
	return to
}
