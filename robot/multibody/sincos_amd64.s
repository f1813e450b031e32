#include "textflag.h"

// Constants, four times each: see sincos.go for their meaning.
#define FOUR(name, value) \
	DATA name<>+0(SB)/8, value  \
	DATA name<>+8(SB)/8, value  \
	DATA name<>+16(SB)/8, value \
	DATA name<>+24(SB)/8, value \
	GLOBL name<>(SB), RODATA|NOPTR, $32

FOUR(invHalfPi, $0x3fe45f306dc9c883)
FOUR(round, $0x4338000000000000)
FOUR(halfPi1, $0x3ff921fb54400000)
FOUR(halfPi2, $0x3dd0b4611a600000)
FOUR(halfPi3, $0x3ba3198a2e037073)
FOUR(s1, $0xbfc5555555555549)
FOUR(s2, $0x3f8111111110f8a6)
FOUR(s3, $0xbf2a01a019c161d5)
FOUR(s4, $0x3ec71de357b1fe7d)
FOUR(s5, $0xbe5ae5e68a2b9ceb)
FOUR(s6, $0x3de5d93a5acfd57c)
FOUR(c1, $0x3fa555555555554c)
FOUR(c2, $0xbf56c16c16c15177)
FOUR(c3, $0x3efa01a019cb1590)
FOUR(c4, $0xbe927e4f809c52ad)
FOUR(c5, $0x3e21ee9ebdb4b1c4)
FOUR(c6, $0xbda8fae9be8838d4)
FOUR(half, $0x3fe0000000000000)
FOUR(one, $0x3ff0000000000000)
FOUR(sign, $0x8000000000000000)
FOUR(unit, $0x0000000000000001)

// func sincosAVX2(x, sin, cos *float64, n int)
// n is a multiple of 4.
TEXT ·sincosAVX2(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), AX
	MOVQ sin+8(FP), BX
	MOVQ cos+16(FP), CX
	MOVQ n+24(FP), DX

loop:
	VMOVUPD (AX), Y0

	// t = x 2/π + round; its low bits count quarter turns
	VMOVUPD     round<>(SB), Y1
	VFMADD231PD invHalfPi<>(SB), Y0, Y1
	VSUBPD      round<>(SB), Y1, Y2

	// r = x - k π/2
	VFNMADD231PD halfPi1<>(SB), Y2, Y0
	VFNMADD231PD halfPi2<>(SB), Y2, Y0
	VFNMADD231PD halfPi3<>(SB), Y2, Y0
	VMULPD       Y0, Y0, Y3 // z
	VMULPD       Y3, Y3, Y4 // z²

	// sine kernel
	VMOVUPD     s1<>(SB), Y5
	VFMADD231PD s2<>(SB), Y3, Y5
	VMOVUPD     s3<>(SB), Y6
	VFMADD231PD s4<>(SB), Y3, Y6
	VMOVUPD     s5<>(SB), Y7
	VFMADD231PD s6<>(SB), Y3, Y7
	VFMADD231PD Y7, Y4, Y6
	VFMADD231PD Y6, Y4, Y5

	// cosine kernel
	VMOVUPD     c1<>(SB), Y8
	VFMADD231PD c2<>(SB), Y3, Y8
	VMOVUPD     c3<>(SB), Y9
	VFMADD231PD c4<>(SB), Y3, Y9
	VMOVUPD     c5<>(SB), Y10
	VFMADD231PD c6<>(SB), Y3, Y10
	VFMADD231PD Y10, Y4, Y9
	VFMADD231PD Y9, Y4, Y8

	// sin r = r + r z ps, cos r = 1 - z/2 + z² pc
	VMOVUPD      one<>(SB), Y11
	VFNMADD231PD half<>(SB), Y3, Y11
	VFMADD231PD  Y8, Y4, Y11
	VMULPD       Y0, Y3, Y3
	VFMADD231PD  Y5, Y3, Y0

	// odd quadrants swap them
	VPSLLQ    $63, Y1, Y2
	VBLENDVPD Y2, Y11, Y0, Y12
	VBLENDVPD Y2, Y0, Y11, Y13

	// signs
	VPADDQ  unit<>(SB), Y1, Y3
	VPSLLQ  $62, Y1, Y1
	VPSLLQ  $62, Y3, Y3
	VANDPD  sign<>(SB), Y1, Y1
	VANDPD  sign<>(SB), Y3, Y3
	VXORPD  Y1, Y12, Y12
	VXORPD  Y3, Y13, Y13
	VMOVUPD Y12, (BX)
	VMOVUPD Y13, (CX)

	ADDQ $32, AX
	ADDQ $32, BX
	ADDQ $32, CX
	SUBQ $4, DX
	JG   loop
	VZEROUPPER
	RET
