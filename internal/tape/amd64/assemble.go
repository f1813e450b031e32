package amd64

import (
	"fmt"
	"math"
	"strings"

	"github.com/sinew-robotics/sinew/internal/tape"
)

// Lanes is the number of states that a function of [Assemble] or [Sincos] evaluates at once. A loop has [Level.LoopLanes].
const Lanes = 8

// Level is the instruction set that a program is assembled for.
type Level uint8

const (
	AVX2   Level = iota // AVX2 and FMA: 16 registers of 4 numbers, two passes over the program
	AVX512              // AVX512F and AVX512DQ: 32 registers of 8 numbers
)

// String returns the name of the level, AVX2 or AVX512, which ends the names of generated functions.
func (l Level) String() string { return [...]string{"AVX2", "AVX512"}[l] }

// LoopLanes returns the number of states that a loop over records evaluates at once: float32 numbers of a register.
func (l Level) LoopLanes() int { return [...]int{8, 16}[l] }

func (l Level) registers() int { return [...]int{16, 32}[l] }

// Function is a program in assembly.
type Function struct {
	Name    string
	Text    string // its constants and its code; a file needs #include "textflag.h" before
	Stub    string // its declaration in Go
	Scratch int    // length of its last argument, numbers
	Size    int    // instructions, of one pass
}

// Assemble writes the program as a function of that name,
//
//	func name(x, y, …, scratch *float64)
//
// whose arguments are the arrays of the tape in order and at last the scratch area. It fails if the tape has more arrays
// than there are registers for addresses.
func Assemble(program *tape.Tape, name string, level Level) (Function, error) {
	if n := len(program.Arrays); n > len(pointers)-1 {
		return Function{}, fmt.Errorf("assemble %s: it has %d arguments; at most %d fit", name, n, len(pointers)-1)
	}
	for i, n := range program.Code {
		if n.Op == tape.Widest || program.Exit != nil {
			return Function{}, fmt.Errorf("assemble %s: instruction %d belongs into a loop over records; use Loop", name, i)
		}
	}
	nodes := lower(program)
	var best *allocator
	var bestMemory *memory
	for _, order := range orders(nodes) {
		for _, weight := range []float64{1, 2, 8} {
			m := newMemory(program, name, level)
			a := newAllocator(level, false, nodes, order, m, weight)
			a.run(order)
			if best == nil || len(a.lines) < len(best.lines) {
				best, bestMemory = a, m
			}
		}
	}
	return bestMemory.function(program, best), nil
}

// pointers are the registers for addresses; the last is the scratch area's. BP, SP and R14 belong to the runtime, R15
// counts passes.
var pointers = [...]string{"AX", "BX", "CX", "DX", "SI", "DI", "R8", "R9", "R10", "R11", "R12", "R13"}

// signBit is the number whose pattern is the sign alone.
var signBit = math.Copysign(0, -1)

// memory is the layout of numbers in memory, for the allocator.
type memory struct {
	program *tape.Tape
	level   Level
	name    string
	table   constantTable
}

func newMemory(program *tape.Tape, name string, level Level) *memory {
	stride := 8
	if level == AVX2 {
		stride = 32
	}
	return &memory{program, level, name, constantTable{name + "Constants", stride, false, nil, map[uint64]int{}}}
}

func (m *memory) shared(array int) bool     { return m.program.Arrays[array].Shared }
func (m *memory) constant(x float64) string { return m.table.place(x) }
func (m *memory) spilled(slot int) string {
	return fmt.Sprintf("%d(%s)", slot*8*m.level.lanes(), pointers[len(m.program.Arrays)])
}

func (m *memory) element(array, index int) string {
	stride := 8 * Lanes
	if m.shared(array) {
		stride = 8
	}
	return fmt.Sprintf("%d(%s)", index*stride, pointers[array])
}

// lanes returns the number of states that one pass evaluates.
func (l Level) lanes() int { return [...]int{4, 8}[l] }

// function puts the parts together.
func (m *memory) function(program *tape.Tape, a *allocator) Function {
	var text, stub strings.Builder
	text.WriteString(m.table.data())
	names := []string{}
	for _, x := range program.Arrays {
		names = append(names, x.Name)
	}
	names = append(names, "scratch")
	fmt.Fprintf(&stub, "//go:noescape\nfunc %s(%s *float64)\n", m.name, strings.Join(names, ", "))
	fmt.Fprintf(&text, "// func %s(%s *float64)\n", m.name, strings.Join(names, ", "))
	fmt.Fprintf(&text, "TEXT ·%s(SB), NOSPLIT, $0-%d\n", m.name, 8*len(names))
	for k, name := range names {
		fmt.Fprintf(&text, "\tMOVQ %s+%d(FP), %s\n", name, 8*k, pointers[k])
	}
	if m.level == AVX2 {
		text.WriteString("\tMOVQ $2, R15\n\npass:\n")
	}
	for _, line := range a.lines {
		text.WriteString("\t" + line + "\n")
	}
	if m.level == AVX2 {
		for k := range program.Arrays {
			if !program.Arrays[k].Shared {
				fmt.Fprintf(&text, "\tADDQ $32, %s\n", pointers[k])
			}
		}
		text.WriteString("\tDECQ R15\n\tJNZ pass\n")
	}
	text.WriteString("\tVZEROUPPER\n\tRET\n")
	return Function{m.name, text.String(), stub.String(), a.slots * m.level.lanes(), len(a.lines)}
}
