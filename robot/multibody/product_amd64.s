#include "textflag.h"

// func productAVX2(A, B, C, x, y *float64, n int)
//
// For each tile of rows i…i+3 and columns j…j+3: Y0…Y3 gather -A B, Y4…Y7 -A C.
TEXT ·productAVX2(SB), NOSPLIT, $0-48
	MOVQ n+40(FP), R8
	MOVQ R8, R9
	SHLQ $3, R9              // bytes in a row
	LEAQ -32(R9), R10        // byte offset of the last tile in a row
	XORQ R11, R11            // byte offset of column j

columns:
	CMPQ R11, R10
	CMOVQGT R10, R11
	XORQ R12, R12            // row i

rows:
	LEAQ -4(R8), R13
	CMPQ R12, R13
	CMOVQGT R13, R12
	MOVQ R12, R13
	IMULQ R9, R13            // byte offset of row i
	MOVQ A+0(FP), AX         // rows i…i+3 of A
	ADDQ R13, AX
	LEAQ (AX)(R9*1), BX
	LEAQ (BX)(R9*1), CX
	LEAQ (CX)(R9*1), DX
	MOVQ B+8(FP), SI         // column j of B and C
	ADDQ R11, SI
	MOVQ C+16(FP), DI
	ADDQ R11, DI
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7
	XORQ R15, R15            // k

terms:
	VMOVUPD (SI), Y8
	VMOVUPD (DI), Y9
	VBROADCASTSD (AX)(R15*8), Y10
	VBROADCASTSD (BX)(R15*8), Y11
	VBROADCASTSD (CX)(R15*8), Y12
	VBROADCASTSD (DX)(R15*8), Y13
	VFNMADD231PD Y8, Y10, Y0
	VFNMADD231PD Y9, Y10, Y4
	VFNMADD231PD Y8, Y11, Y1
	VFNMADD231PD Y9, Y11, Y5
	VFNMADD231PD Y8, Y12, Y2
	VFNMADD231PD Y9, Y12, Y6
	VFNMADD231PD Y8, Y13, Y3
	VFNMADD231PD Y9, Y13, Y7
	ADDQ R9, SI
	ADDQ R9, DI
	INCQ R15
	CMPQ R15, R8
	JLT terms

	ADDQ R11, R13            // byte offset of the tile
	MOVQ x+24(FP), AX
	ADDQ R13, AX
	MOVQ y+32(FP), BX
	ADDQ R13, BX
	VMOVUPD Y0, (AX)
	VMOVUPD Y4, (BX)
	ADDQ R9, AX
	ADDQ R9, BX
	VMOVUPD Y1, (AX)
	VMOVUPD Y5, (BX)
	ADDQ R9, AX
	ADDQ R9, BX
	VMOVUPD Y2, (AX)
	VMOVUPD Y6, (BX)
	ADDQ R9, AX
	ADDQ R9, BX
	VMOVUPD Y3, (AX)
	VMOVUPD Y7, (BX)

	ADDQ $4, R12
	CMPQ R12, R8
	JLT rows
	ADDQ $32, R11
	CMPQ R11, R9
	JLT columns

	VZEROUPPER
	RET
