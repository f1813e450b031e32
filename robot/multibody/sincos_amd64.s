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

FOUR(largest, $0x40f86a0000000000)

// tails has masks for the last 1, 2, 3 numbers, at 8·(4-n).
DATA tails<>+0(SB)/8, $0xffffffffffffffff
DATA tails<>+8(SB)/8, $0xffffffffffffffff
DATA tails<>+16(SB)/8, $0xffffffffffffffff
DATA tails<>+24(SB)/8, $0xffffffffffffffff
DATA tails<>+32(SB)/8, $0
DATA tails<>+40(SB)/8, $0
DATA tails<>+48(SB)/8, $0
GLOBL tails<>(SB), RODATA|NOPTR, $56

// func sincosAVX2(x, shift, sin, cos *float64, n int) (tame bool)
// sin and cos have room for n rounded up to a multiple of 4.
TEXT ·sincosAVX2(SB), NOSPLIT, $0-41
	MOVQ  x+0(FP), AX
	MOVQ  shift+8(FP), R8
	MOVQ  sin+16(FP), BX
	MOVQ  cos+24(FP), CX
	MOVQ  n+32(FP), DX
	XORL  R9, R9          // becomes 1 where an angle is too large
	LEAQ  tails<>(SB), R10

loop:
	CMPQ DX, $4
	JGE  whole
	MOVQ $4, R11
	SUBQ DX, R11
	VMOVUPD (R10)(R11*8), Y14
	VMASKMOVPD (AX), Y14, Y0
	VMASKMOVPD (R8), Y14, Y1
	VADDPD Y1, Y0, Y0
	JMP  reduce

whole:
	VMOVUPD (AX), Y0
	VADDPD  (R8), Y0, Y0

reduce:
	// tame: |x| < 1e5, false for NaN
	VMOVUPD   sign<>(SB), Y15
	VANDNPD   Y0, Y15, Y15
	VCMPPD    $5, largest<>(SB), Y15, Y15 // not less than
	VMOVMSKPD Y15, R12
	ORL       R12, R9

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
	ADDQ $32, R8
	ADDQ $32, BX
	ADDQ $32, CX
	SUBQ $4, DX
	JG   loop
	VZEROUPPER
	TESTL R9, R9
	SETEQ tame+40(FP)
	RET
