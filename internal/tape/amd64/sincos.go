package amd64

import (
	"fmt"
	"math"
	"regexp"
	"strings"
)

// Sincos writes a function of that name,
//
//	func name(x, shift, sin, cos *float64, rows, from, to int) (tame bool)
//
// that computes sine and cosine of rows of eight numbers: row k is the angles x[k·from+i] + shift[k], i = 0…7; the
// results go to sin[k·to+i] and cos[k·to+i]. They are right within one or two units in the last place where the
// magnitude is below 1e5. The function reports whether all were; otherwise the caller must compute the others with
// math.Sincos.
//
// The argument is reduced by multiples of π/2 in three parts (Cody and Waite 1980), both kernels (the minimax polynomials
// of fdlibm, Sun 1993) are evaluated by Estrin's scheme, and the quadrant is chosen by bit operations.
func Sincos(name string, level Level) Function {
	s := sincosWriter{level: level, table: newMemory(nil, name, level).table}
	s.keep()
	s.writef("XORL R11, R11")
	s.writef("SHLQ $3, R8")
	s.writef("SHLQ $3, R9")
	s.lines = append(s.lines, "", "row:")
	for at := 0; at < Lanes; at += level.lanes() {
		s.half(8 * at)
	}
	s.writef("ADDQ R8, AX")
	s.writef("ADDQ $8, BX")
	s.writef("ADDQ R9, CX")
	s.writef("ADDQ R9, DX")
	s.writef("DECQ SI")
	s.writef("JNZ row")
	s.writef("TESTL R11, R11")
	s.writef("SETEQ tame+56(FP)")
	s.writef("VZEROUPPER")
	s.writef("RET")

	const signature = "(x, shift, sin, cos *float64, rows, from, to int) (tame bool)"
	var text strings.Builder
	text.WriteString(s.table.data())
	fmt.Fprintf(&text, "// func %s%s\nTEXT ·%s(SB), NOSPLIT, $0-57\n", name, signature, name)
	for k, a := range []struct{ name, register string }{
		{"x", "AX"}, {"shift", "BX"}, {"sin", "CX"}, {"cos", "DX"}, {"rows", "SI"}, {"from", "R8"}, {"to", "R9"},
	} {
		fmt.Fprintf(&text, "\tMOVQ %s+%d(FP), %s\n", a.name, 8*k, a.register)
	}
	text.WriteString(strings.Join(s.lines, "\n") + "\n")
	return Function{
		Name: name, Text: text.String(), Size: len(s.lines),
		Stub: fmt.Sprintf("//go:noescape\nfunc %s%s\n", name, signature),
	}
}

// Sines and cosines near zero: x + x³ (s1 + s2 x² + …) and 1 - x²/2 + x⁴ (c1 + c2 x² + …).
var (
	sinePolynomial = [...]float64{
		-1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
		2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10,
	}
	cosinePolynomial = [...]float64{
		4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
		-2.75573143513506633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11,
	}
	halfPi = [...]float64{1.57079632673412561417e+00, 6.07710050630396597660e-11, 2.02226624879595063154e-21}
)

type sincosWriter struct {
	level Level
	table constantTable
	lines []string
	kept  map[float64]string // constants that stay in a register
}

// keep loads what is used all the time into registers that half leaves alone.
func (s *sincosWriter) keep() {
	s.kept = map[float64]string{}
	if s.level != AVX512 {
		return
	}
	all := append(append(sinePolynomial[:], cosinePolynomial[:]...), halfPi[:]...)
	for k, x := range append(all, round, 2/math.Pi, 1, 0.5) {
		register := fmt.Sprintf("V%d", 12+k)
		s.set(x, register)
		s.kept[x] = register
	}
}

const round = 6755399441055744 // 1.5·2⁵²: adding it rounds to an integer

// half writes the code for the lanes from the byte at on.
func (s *sincosWriter) half(at int) {
	s.op("VBROADCASTSD (BX), V0")
	s.op("VADDPD %d(AX), V0, V0", at)
	s.with("VANDPD", math.Float64frombits(1<<63-1), "V0, V1")
	s.tame()
	// t = x 2/π + round; its low bits count quarter turns
	s.set(round, "V1")
	s.with("VFMADD231PD", 2/math.Pi, "V0, V1")
	s.with("VSUBPD", round, "V1, V2")
	for _, p := range halfPi { // r = x - k π/2
		s.with("VFNMADD231PD", p, "V2, V0")
	}
	s.op("VMULPD V0, V0, V3")
	s.op("VMULPD V3, V3, V4")
	s.polynomial(sinePolynomial, 5)
	s.polynomial(cosinePolynomial, 8)
	s.set(1, "V11")
	s.with("VFNMADD231PD", 0.5, "V3, V11")
	s.op("VFMADD231PD V8, V4, V11")
	s.op("VMULPD V0, V3, V3")
	s.op("VFMADD231PD V5, V3, V0")
	// odd quadrants swap them
	one := math.Float64frombits(1)
	if s.level == AVX512 {
		s.op("VPSLLQ $63, V1, V2")
		s.op("VPMOVQ2M V2, K1")
		s.op("VBLENDMPD V11, V0, K1, V5")
		s.op("VBLENDMPD V0, V11, K1, V6")
	} else {
		s.op("VPSLLQ $63, V1, V2")
		s.op("VBLENDVPD V2, V11, V0, V5")
		s.op("VBLENDVPD V2, V0, V11, V6")
	}
	// signs
	s.with("VPADDQ", one, "V1, V3")
	for _, v := range []string{"V1", "V3"} {
		s.op("VPSLLQ $62, %s, %s", v, v)
		s.with("VANDPD", signBit, v+", "+v)
	}
	s.op("VXORPD V1, V5, V5")
	s.op("VXORPD V3, V6, V6")
	s.op("VMOVUPD V5, %d(CX)", at)
	s.op("VMOVUPD V6, %d(DX)", at)
}

// tame records in R11 which magnitudes, in V1, are not below 1e5.
func (s *sincosWriter) tame() {
	if s.level == AVX512 {
		s.with("VCMPPD", 1e5, "V1, K2", "$5")
		s.op("KMOVW K2, R10")
	} else {
		s.with("VCMPPD", 1e5, "V1, V1", "$5")
		s.op("VMOVMSKPD V1, R10")
	}
	s.op("ORL R10, R11")
}

// polynomial evaluates c0 + c1 z + … + c5 z⁵ with z in V3 and z² in V4, into register number r; the next two are scratch.
func (s *sincosWriter) polynomial(c [6]float64, r int) {
	for k := range 3 {
		s.set(c[2*k], fmt.Sprintf("V%d", r+k))
		s.with("VFMADD231PD", c[2*k+1], fmt.Sprintf("V3, V%d", r+k))
	}
	s.op("VFMADD231PD V%d, V4, V%d", r+2, r+1)
	s.op("VFMADD231PD V%d, V4, V%d", r+1, r)
}

// set fills a register with a constant.
func (s *sincosWriter) set(x float64, register string) {
	switch from, ok := s.kept[x]; {
	case ok:
		s.op("VMOVAPD %s, %s", from, register)
	case s.level == AVX512:
		s.op("VBROADCASTSD %s, %s", s.table.place(x), register)
	default:
		s.op("VMOVUPD %s, %s", s.table.place(x), register)
	}
}

// with writes an operation on a constant.
func (s *sincosWriter) with(name string, x float64, registers string, before ...string) {
	from, ok := s.kept[x]
	if !ok {
		from = s.table.place(x)
		if s.level == AVX512 {
			name += ".BCST"
		}
	}
	s.op("%s %s", name, strings.Join(append(before, from, registers), ", "))
}

// op writes an instruction; V names vector registers of any level.
func (s *sincosWriter) op(format string, args ...any) {
	name, operands, _ := strings.Cut(fmt.Sprintf(format, args...), " ")
	vector := "Y"
	if s.level == AVX512 {
		vector = "Z"
	}
	s.writef("%s %s", name, vectorRegister.ReplaceAllString(operands, vector+"$1"))
}

var vectorRegister = regexp.MustCompile(`\bV(\d)`)

func (s *sincosWriter) writef(format string, args ...any) {
	s.lines = append(s.lines, "\t"+fmt.Sprintf(format, args...))
}
