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
	if (n.op == add || n.op == mul) && a.in[x] < 0 {
		x, y = y, x
	}
	switch n.op {
	case sqrt:
		text, suffix := a.operand(x)
		a.write("VSQRTPD%s %s, %s", suffix, text, a.register(r))
	case neg:
		suffix := ""
		if a.level == AVX512 {
			suffix = ".BCST"
		}
		a.write("VXORPD%s %s, %s, %s", suffix, a.place.constant(signBit), a.register(a.in[x]), a.register(r))
	default:
		text, suffix := a.operand(y)
		a.write("%s%s %s, %s, %s", mnemonic[n.op], suffix, text, a.register(a.in[x]), a.register(r))
	}
	return r
}

var mnemonic = map[opcode]string{add: "VADDPD", sub: "VSUBPD", mul: "VMULPD", div: "VDIVPD"}

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
		return a.fused(name+"231PD", y, x, a.in[z])
	case dies(x) && a.in[y] >= 0: // x = y x + z
		return a.fused(name+"213PD", z, y, a.in[x])
	case dies(x): // x = x y + z
		return a.fused(name+"132PD", y, z, a.in[x])
	case dies(y) && y != x:
		return a.fused(name+"213PD", z, x, a.in[y])
	}
	r := a.allocate()
	if a.in[z] < 0 {
		text, suffix := a.operand(z)
		if suffix != "" {
			a.write("VBROADCASTSD %s, %s", text, a.register(r))
		} else {
			a.write("VMOVUPD %s, %s", text, a.register(r))
		}
	} else {
		a.write("VMOVAPD %s, %s", a.register(a.in[z]), a.register(r))
	}
	return a.fused(name+"231PD", y, x, r)
}

// fused writes one multiply-and-add; only its operand from may be in memory.
func (a *allocator) fused(name string, from, register, to int) int {
	text, suffix := a.operand(from)
	a.write("%s%s %s, %s, %s", name, suffix, text, a.register(a.in[register]), a.register(to))
	return to
}
