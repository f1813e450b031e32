package amd64

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/tape"
)

// Loop writes a program that is evaluated once for each of n records as a function of that name, in float32,
//
//	func name(records unsafe.Pointer, n int, rows, x, y, … *float32) (left int, lanes int32)
//
// where x, y, … are the arrays of the tape, in order, that are neither in the record nor at an offset of it. Rows are [Level.LoopLanes] numbers, one of each
// state; a record of rows is a multiple of a row long. Offsets are from the pointer rows. Where the tape names an end, the loop ends at the first record that meets it: left is then the number of
// records from that one on, and lanes has a bit for each state that meets it. After the last record left is zero. The loop fails to assemble if the tape has
// more arrays than there are registers for addresses, or both an end and results.
func Loop(program *tape.Tape, name string, level Level) (Function, error) {
	m := &loopMemory{program: program, name: name, level: level}
	if err := m.assign(); err != nil {
		return Function{}, fmt.Errorf("assemble %s: %w", name, err)
	}
	nodes := lower(program)
	invariants := m.invariants(nodes)
	var best *allocator
	var bestBefore []string
	var bestTable constantTable
	for _, order := range orders(nodes) {
		for kept := min(len(invariants), level.registers()-fewestFree); kept >= 0; kept-- {
			m.table = constantTable{name + "Constants", m.constantStride(), true, nil, map[uint64]int{}}
			a := newAllocator(level, true, nodes, order, m, 2)
			for _, i := range invariants[:kept] {
				a.keep(i)
			}
			before := a.lines
			a.lines = nil
			a.run(order)
			if best == nil || len(a.lines) < len(best.lines) {
				best, bestBefore, bestTable = a, before, m.table
			}
		}
	}
	m.table = bestTable
	return m.function(best, bestBefore), nil
}

// fewestFree is the number of registers that are left to what changes from record to record.
const fewestFree = 5

// invariants returns the leaves that are the same for all records, those first that gain most from a register of their own: numbers that cannot be
// operands from memory, then those that are needed most often.
func (m *loopMemory) invariants(nodes []node) []int {
	uses := make([]int, len(nodes))
	var leaves []int
	for i := range nodes {
		n := &nodes[i]
		for _, x := range distinct(n.args) {
			uses[x]++
		}
		if n.op == leaf && (n.constant || m.program.Arrays[n.array].Place == tape.InMemory) {
			leaves = append(leaves, i)
		}
	}
	rank := func(i int) int {
		if m.level == AVX2 && !nodes[i].constant && m.shared(nodes[i].array) {
			return len(nodes) + uses[i]
		}
		return uses[i]
	}
	slices.SortStableFunc(leaves, func(i, k int) int { return rank(k) - rank(i) })
	return leaves
}

// loopMemory is the layout of the numbers of a loop in memory.
type loopMemory struct {
	program *tape.Tape
	name    string
	level   Level
	table   constantTable
	pointer []string // by array: the register with its address
	fixed   []string // names of arrays that are arguments
	record  int      // bytes
}

// Registers of a loop: AX points to the record, BX counts those left, CX points to the rows, R15 gets the lanes.
var loopPointers = [...]string{"DX", "SI", "DI", "R8", "R9", "R10", "R11", "R12", "R13"}

// assign gives the arrays their registers.
func (m *loopMemory) assign() error {
	if m.program.Exit != nil && len(m.program.Outputs) > 0 {
		return fmt.Errorf("a loop with an end has results, which its last pass would not write")
	}
	used := 0
	for i := range m.program.Arrays {
		a := &m.program.Arrays[i]
		if a.Place == tape.InRecord {
			m.record = a.Len * m.size(i)
			m.pointer = append(m.pointer, "AX")
			continue
		}
		if used == len(loopPointers) {
			return fmt.Errorf("it has more than %d arrays besides the record", used)
		}
		m.pointer = append(m.pointer, loopPointers[used])
		used++
		if a.Place == tape.InMemory {
			m.fixed = append(m.fixed, a.Name)
		}
	}
	for i := range m.program.Arrays { // records have the words of their offsets too
		if a := &m.program.Arrays[i]; a.Place == tape.AtOffset {
			m.record = max(m.record, 4*(a.Word+1))
		}
	}
	for i := range m.program.Arrays { // so that rows stay aligned
		if a := &m.program.Arrays[i]; a.Place == tape.InRecord && !a.Shared {
			m.record = (m.record + m.row() - 1) / m.row() * m.row()
		}
	}
	return nil
}

// size returns the bytes of an element.
func (m *loopMemory) size(array int) int {
	if m.shared(array) {
		return 4
	}
	return m.row()
}

// row returns the bytes of a row, which are those of a register.
func (m *loopMemory) row() int { return 4 * m.level.LoopLanes() }

// constantStride returns the bytes a constant takes: AVX2 has no operands in memory that are broadcast.
func (m *loopMemory) constantStride() int {
	if m.level == AVX512 {
		return 4
	}
	return m.row()
}

func (m *loopMemory) shared(array int) bool     { return m.program.Arrays[array].Shared }
func (m *loopMemory) constant(x float64) string { return m.table.place(x) }
func (m *loopMemory) spilled(slot int) string   { return fmt.Sprintf("%d(SP)", m.row()*slot) }
func (m *loopMemory) element(array, index int) string {
	return fmt.Sprintf("%d(%s)", index*m.size(array), m.pointer[array])
}

// function puts the parts together: the instructions before the loop and those of a pass.
func (m *loopMemory) function(a *allocator, before []string) Function {
	var text strings.Builder
	write := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	arguments := append([]string{"rows"}, m.fixed...)
	signature := fmt.Sprintf("(records unsafe.Pointer, n int, %s *float32) (left int, lanes int32)", strings.Join(arguments, ", "))
	results := 16 + 8*len(arguments)
	text.WriteString(m.table.data())
	write("// func %s%s", m.name, signature)
	write("TEXT ·%s(SB), NOSPLIT, $%d-%d", m.name, m.row()*a.slots, results+12)
	write("\tMOVQ records+0(FP), AX\n\tMOVQ n+8(FP), BX\n\tMOVQ rows+16(FP), CX")
	at := 24
	for i := range m.program.Arrays {
		if x := &m.program.Arrays[i]; x.Place == tape.InMemory {
			write("\tMOVQ %s+%d(FP), %s", x.Name, at, m.pointer[i])
			at += 8
		}
	}
	write("\tXORL R15, R15\n\tTESTQ BX, BX\n\tJZ done")
	for _, line := range before {
		write("\t%s", line)
	}
	write("\nrecord:")
	for i := range m.program.Arrays {
		if x := &m.program.Arrays[i]; x.Place == tape.AtOffset {
			write("\tMOVLQSX %d(AX), %s\n\tADDQ CX, %s", 4*x.Word, m.pointer[i], m.pointer[i])
		}
	}
	for _, line := range a.lines {
		write("\t%s", line)
	}
	write("\tADDQ $%d, AX\n\tDECQ BX\n\tJNZ record\n\ndone:", m.record)
	write("\tMOVQ BX, left+%d(FP)\n\tMOVL R15, lanes+%d(FP)\n\tVZEROUPPER\n\tRET", results, results+8)
	return Function{
		Name: m.name, Text: text.String(), Size: len(a.lines),
		Stub: fmt.Sprintf("//go:noescape\nfunc %s%s\n", m.name, signature),
	}
}
