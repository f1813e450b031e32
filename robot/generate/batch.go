package generate

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/internal/tape/amd64"
)

// batch writes the functions for eight states at once: assembly for AVX-512 and AVX2, and the scalar functions for other
// processors.
func (w *writer) batch() error {
	if !w.options.Batch {
		return nil
	}
	var kernels []amd64.Function
	scratch := 0
	for _, level := range []amd64.Level{amd64.AVX512, amd64.AVX2} {
		suffix := level.String()
		kernels = append(kernels, amd64.Sincos("sines"+suffix, level))
		for _, f := range w.functions {
			k, err := amd64.Assemble(f.program.Tape, kernelName(f.name)+suffix, level)
			if err != nil {
				return err
			}
			kernels = append(kernels, k)
			scratch = max(scratch, k.Scratch)
		}
	}
	name := w.options.Name
	w.files[name+"_amd64.s"] = amd64.Text(generatedBy, kernels...)
	stubs, head := string(amd64.Stubs(generatedBy, name, kernels...)), "package "+name+"\n"
	if err := w.add(name+"_amd64.go", []byte(strings.Replace(stubs, head, head+w.dispatchImports(), 1)+w.dispatch())); err != nil {
		return err
	}
	if err := w.add(name+"_other.go", w.portable()); err != nil {
		return err
	}
	return w.add(name+"_batch.go", w.batchFunctions(scratch))
}

// kernelName returns the name of the assembly of a function.
func kernelName(function string) string { return "batch" + function }

// arrays returns the names of a program's arrays in order, and their lengths.
func (f *function) arrays() (names []string, lengths []int) {
	for _, a := range f.program.Arrays {
		names, lengths = append(names, a.Name), append(lengths, a.Len)
	}
	return names, lengths
}

// batchType returns the Go type of an array for eight states.
func (w *writer) batchType(array string) string {
	switch array {
	case "q":
		return "[Coordinates][Lanes]float64"
	case "poses":
		return "[Joints][3][4][Lanes]float64"
	case "J":
		return "[6][DOF][Lanes]float64"
	case "M", "Minv", "dq", "dv":
		return "[DOF][DOF][Lanes]float64"
	}
	return "[DOF][Lanes]float64"
}

// first returns the address of an array's first number.
func first(array string) string {
	switch array {
	case "poses":
		return "&poses[0][0][0][0]"
	case "J", "M", "Minv", "dq", "dv":
		return "&" + array + "[0][0][0]"
	}
	return "&" + array + "[0][0]"
}

// batchFunctions writes the exported functions, common to all processors.
func (w *writer) batchFunctions(scratch int) []byte {
	var b bytes.Buffer
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	p("// %s\n\npackage %s\n\n", generatedBy, w.options.Name)
	p("// Lanes is how many states a Batch evaluates at once.\nconst Lanes = 8\n\n")
	p("// Batch evaluates eight states at once: structures of arrays, the eight numbers of each element together. It is a\n" +
		"// workspace: one goroutine uses it at a time.\ntype Batch struct {\n")
	if n := len(turning(w.functions[0].program.bodies)); n > 0 {
		p("\ts, c [%d][Lanes]float64\n", n)
	}
	p("\tscratch [%d]float64\n}\n\n", max(scratch, 1))
	for _, f := range w.functions {
		names, _ := f.arrays()
		var params, args []string
		for _, a := range names {
			if a != "s" && a != "c" {
				params, args = append(params, a+" *"+w.batchType(a)), append(args, a)
			}
		}
		p("// %s is the function of that name for eight states.\nfunc (b *Batch) %s(%s) { b.%s(%s) }\n\n", f.name, f.name, strings.Join(params, ", "),
			kernelName(f.name), strings.Join(args, ", "))
	}
	w.laneLoops(&b)
	return b.Bytes()
}

// dispatch writes the methods that choose among the instruction sets.
func (w *writer) dispatch() string {
	var b bytes.Buffer
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	p("\nvar (\n\thasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ\n\thasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA\n)\n\n")
	w.batchSines(&b)
	for _, f := range w.functions {
		names, _ := f.arrays()
		var params, own, lanes []string
		for _, a := range names {
			if a == "s" || a == "c" {
				own = append(own, "&b."+a+"[0][0]")
				continue
			}
			params = append(params, a+" *"+w.batchType(a))
			lanes = append(lanes, a)
			own = append(own, first(a))
		}
		call := strings.Join(append(own, "&b.scratch[0]"), ", ")
		kernel := kernelName(f.name)
		p("func (b *Batch) %s(%s) {\n\tswitch {\n\tcase hasAVX512:\n", kernel, strings.Join(params, ", "))
		if len(turning(f.program.bodies)) > 0 {
			p("\t\tb.sines(q)\n")
		}
		p("\t\t%sAVX512(%s)\n\tcase hasAVX2:\n", kernel, call)
		if len(turning(f.program.bodies)) > 0 {
			p("\t\tb.sines(q)\n")
		}
		p("\t\t%sAVX2(%s)\n\tdefault:\n\t\tb.%s(%s)\n\t}\n}\n\n", kernel, call, oneByOne(f.name), strings.Join(lanes, ", "))
	}
	return b.String()
}

func (w *writer) dispatchImports() string {
	if len(turning(w.functions[0].program.bodies)) == 0 {
		return "\nimport \"golang.org/x/sys/cpu\"\n"
	}
	return "\nimport (\n\t\"math\"\n\n\t\"golang.org/x/sys/cpu\"\n)\n"
}

func oneByOne(name string) string { return "lanes" + name }

// batchSines writes the method that computes sines and cosines of eight states.
func (w *writer) batchSines(b *bytes.Buffer) {
	bodies := w.functions[0].program.bodies
	list := turning(bodies)
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "// shifts are what is added to each joint's angle.\nvar shifts = [%d]float64{", len(list))
	for k, i := range list {
		if k > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "%v", bodies[i].Gamma)
	}
	b.WriteString("}\n\n// sines computes sine and cosine of the joints' angles.\nfunc (b *Batch) sines(q *[Coordinates][Lanes]float64) {\n")
	for k := 0; k < len(list); {
		rows := 1
		for k+rows < len(list) && bodies[list[k+rows]].Q == bodies[list[k]].Q+rows {
			rows++
		}
		fmt.Fprintf(b, "\tb.sinesOf(q[%d:%d], %d)\n", bodies[list[k]].Q, bodies[list[k]].Q+rows, k)
		k += rows
	}
	b.WriteString(`}

// sinesOf computes them for joints whose coordinates lie together.
func (b *Batch) sinesOf(x [][Lanes]float64, at int) {
	tame := false
	if hasAVX512 {
		tame = sinesAVX512(&x[0][0], &shifts[at], &b.s[at][0], &b.c[at][0], len(x), Lanes, Lanes)
	} else {
		tame = sinesAVX2(&x[0][0], &shifts[at], &b.s[at][0], &b.c[at][0], len(x), Lanes, Lanes)
	}
	if tame {
		return
	}
	for k := range x { // angles of many turns
		for i := range x[k] {
			if a := x[k][i] + shifts[at+k]; !(math.Abs(a) < 1e5) {
				b.s[at+k][i], b.c[at+k][i] = math.Sincos(a)
			}
		}
	}
}

`)
}

// portable writes the methods of processors without assembly.
func (w *writer) portable() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// %s\n\n//go:build !amd64\n\npackage %s\n\n", generatedBy, w.options.Name)
	for _, f := range w.functions {
		names, _ := f.arrays()
		var params, lanes []string
		for _, a := range names {
			if a != "s" && a != "c" {
				params, lanes = append(params, a+" *"+w.batchType(a)), append(lanes, a)
			}
		}
		fmt.Fprintf(&b, "func (b *Batch) %s(%s) { b.%s(%s) }\n\n", kernelName(f.name), strings.Join(params, ", "), oneByOne(f.name), strings.Join(lanes, ", "))
	}
	return b.Bytes()
}

// laneLoops writes the methods that evaluate eight states one after the other.
func (w *writer) laneLoops(b *bytes.Buffer) {
	for _, f := range w.functions {
		var params, declared, loads, stores, args []string
		for _, a := range f.program.Arrays {
			if a.Name == "s" || a.Name == "c" {
				continue
			}
			params = append(params, a.Name+" *"+w.batchType(a.Name))
			declared = append(declared, "var "+a.Name+"1 "+w.typeOf(a.Name))
			args = append(args, "&"+a.Name+"1")
			if one, many := a.Name+"1"+subscript(a.Name), a.Name+subscript(a.Name)+"[lane]"; a.Result {
				stores = append(stores, loops(a.Name, many+" = "+one))
			} else {
				loads = append(loads, loops(a.Name, one+" = "+many))
			}
		}
		lines := append(declared, loads...)
		lines = append(lines, f.name+"("+strings.Join(args, ", ")+")")
		fmt.Fprintf(b, "func (b *Batch) %s(%s) {\n\tfor lane := range Lanes {\n%s\n}\n}\n\n", oneByOne(f.name), strings.Join(params, ", "),
			strings.Join(append(lines, stores...), "\n"))
	}
}

// subscript returns how an element of an array is named in [loops].
func subscript(array string) string {
	switch array {
	case "poses":
		return "[i][j][k]"
	case "J", "M", "Minv", "dq", "dv":
		return "[i][j]"
	}
	return "[i]"
}

// loops returns loops over all elements of an array.
func loops(array, body string) string {
	head := "for i := range " + array + " {\n"
	switch array {
	case "poses":
		return head + "for j := range poses[i] {\nfor k := range poses[i][j] {\n" + body + "\n}\n}\n}"
	case "J", "M", "Minv", "dq", "dv":
		return head + "for j := range " + array + "[i] {\n" + body + "\n}\n}"
	}
	return head + body + "\n}"
}
