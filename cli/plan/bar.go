package plan

import (
	"fmt"
	"io"
)

// bar shows on a terminal how many steps of a long work are done.
type bar struct {
	w           io.Writer // nil: no terminal
	done, total int
}

func newBar(w io.Writer, total int) *bar {
	b := &bar{total: total}
	if isTerminal(w) {
		b.w = w
	}
	return b
}

// step counts one step.
func (b *bar) step() {
	if b.done++; b.w != nil {
		fmt.Fprintf(b.w, "\r%d of %d problems", b.done, b.total)
	}
}

// clear removes the bar.
func (b *bar) clear() {
	if b.w != nil {
		fmt.Fprint(b.w, "\r\033[K")
	}
}
