package browse

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/net/admin"
)

const (
	watchRate   = 10   // default, values per second
	watchSlow   = 1e-3 // minimum and maximum, values per second
	watchFast   = 1e6
	watchMost   = 100_000 // maximum number of values that are printed
	maxWatched  = 16
	watchTrail  = 40 // values in the small plot of a signal
	watchWait   = 5 * time.Second
	watchValues = 64 // elements of a wide value that are shown
)

// watchList holds the signals that are shown beside the prompt. The zero value is empty.
type watchList struct {
	mu   sync.Mutex
	list []*watched
}

// watched is a signal and its last values.
type watched struct {
	ref, unit string
	end       func()
	last      admin.Sample
	any       bool
	trail     []float64 // for a number
	least     float64
	most      float64
}

func (w *watched) take(s admin.Sample) {
	w.last, w.any = s, true
	x, ok := s.Value.(float64)
	if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
		return
	}
	if len(w.trail) == 0 {
		w.least, w.most = x, x
	}
	w.least, w.most = min(w.least, x), max(w.most, x)
	if len(w.trail) == watchTrail {
		w.trail = append(w.trail[:0], w.trail[1:]...)
	}
	w.trail = append(w.trail, x)
}

func (l *watchList) refs() (refs []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range l.list {
		refs = append(refs, w.ref)
	}
	return refs
}

// remove stops watching a signal, or all if ref is "".
func (l *watchList) remove(ref string) (found bool) {
	l.mu.Lock()
	var ends []func()
	l.list = slices.DeleteFunc(l.list, func(w *watched) bool {
		gone := ref == "" || w.ref == ref
		if gone {
			ends = append(ends, w.end)
		}
		return gone
	})
	l.mu.Unlock()
	for _, end := range ends {
		end()
	}
	return len(ends) > 0
}

func (l *watchList) clear() { l.remove("") }

// view draws the signals, one per line, no wider than width.
func (l *watchList) view(width int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	wide := 0
	for _, w := range l.list {
		wide = max(wide, len(w.ref))
	}
	var out strings.Builder
	for _, w := range l.list {
		line := fmt.Sprintf("%-*s  ", wide, w.ref)
		switch {
		case !w.any:
			line += "no data yet"
		case len(w.trail) > 0:
			line += fmt.Sprintf("%12s %-5s %s  %s … %s", shortNumber(w.last.Value.(float64)), w.unit, spark(w.trail, w.least, w.most),
				shortNumber(w.least), shortNumber(w.most))
		default:
			line += fmt.Sprintf("%s %s  #%d", shortValue(w.last.Value), w.unit, w.last.Count)
		}
		if runes := []rune(line); width > 0 && len(runes) > width {
			line = string(runes[:width-1]) + "…"
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}

func shortNumber(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// shortValue formats a value with a readable number of elements.
func shortValue(v any) string {
	if list, ok := v.([]any); ok {
		words := make([]string, 0, watchValues)
		for _, e := range list[:min(len(list), watchValues)] {
			if x, ok := e.(float64); ok {
				words = append(words, shortNumber(x))
			} else {
				words = append(words, live.Value(e))
			}
		}
		return "[" + strings.Join(words, ", ") + "]"
	}
	return live.Value(v)
}

// spark draws values between their bounds in one line.
func spark(values []float64, least, most float64) string {
	const levels = "▁▂▃▄▅▆▇█"
	steps := []rune(levels)
	var b strings.Builder
	for _, x := range values {
		k := len(steps) / 2
		if most > least {
			k = int((x - least) / (most - least) * float64(len(steps)-1))
		}
		b.WriteRune(steps[max(0, min(k, len(steps)-1))])
	}
	for range watchTrail - len(values) {
		b.WriteByte(' ')
	}
	return b.String()
}

// everyFor converts a rate in values per second to a number of activations of the port's thread; it also returns the
// port's unit.
func (b *browser) everyFor(ref string, rate float64) (every int, unit string) {
	dot := strings.LastIndexByte(ref, '.')
	for _, e := range b.structure.Blocks {
		if dot < 0 || e.Name != ref[:dot] {
			continue
		}
		for _, p := range e.Ports {
			if p.Name == ref[dot+1:] {
				unit = p.Unit
			}
		}
		if period := b.period(e.Name); period > 0 {
			return max(1, int(math.Round(1/(rate*period)))), unit
		}
	}
	return 1, unit
}

// watch shows a signal beside the prompt; without a terminal, or with a number of values, it prints them.
func (b *browser) watch(out io.Writer, args []string) error {
	ref, err := needArg("watch", args)
	if err != nil {
		return err
	}
	rate, n := float64(watchRate), 0
	if len(args) > 1 {
		if rate, err = strconv.ParseFloat(args[1], 64); err != nil || !(rate >= watchSlow && rate <= watchFast) {
			return fmt.Errorf("watch %s: %q is not a rate: wants values per second, from %g to %g", ref, args[1], watchSlow, watchFast)
		}
	}
	if len(args) > 2 {
		if n, err = strconv.Atoi(args[2]); err != nil || n < 1 || n > watchMost {
			return fmt.Errorf("watch %s: %q is not a number of values: wants 1 to %d", ref, args[2], watchMost)
		}
	}
	if n > 0 || !b.live {
		return b.printSamples(out, ref, rate, max(n, 1))
	}
	b.watched.remove(ref)
	every, unit := b.everyFor(ref, rate)
	w := &watched{ref: ref, unit: unit}
	b.watched.mu.Lock()
	full := len(b.watched.list) >= maxWatched
	b.watched.mu.Unlock()
	if full {
		return fmt.Errorf("%d signals are watched: unwatch one of them first", maxWatched)
	}
	if w.end, err = b.client.Tap(b.ctx, ref, every, func(s admin.Sample) {
		b.watched.mu.Lock()
		defer b.watched.mu.Unlock()
		w.take(s)
	}); err != nil {
		return err
	}
	b.watched.mu.Lock()
	b.watched.list = append(b.watched.list, w)
	b.watched.mu.Unlock()
	return nil
}

// printSamples prints n values of a signal.
func (b *browser) printSamples(out io.Writer, ref string, rate float64, n int) error {
	every, unit := b.everyFor(ref, rate)
	samples := make(chan admin.Sample, 64)
	end, err := b.client.Tap(b.ctx, ref, every, func(s admin.Sample) {
		select {
		case samples <- s:
		default: // the terminal is too slow: the count shows the gap
		}
	})
	if err != nil {
		return err
	}
	defer end()
	patience := watchWait + time.Duration(float64(time.Second)/rate)
	for range n {
		select {
		case s := <-samples:
			line := fmt.Sprintf("%12.6f s  #%d  %s %s", s.Time.Seconds(), s.Count, live.Value(s.Value), unit)
			if s.Age > 0 {
				line += "  " + oldText(s.Age)
			}
			fmt.Fprintln(out, line)
		case <-time.After(patience):
			return fmt.Errorf("watch %s: no new value for %v", ref, patience)
		case <-b.client.Done():
			return admin.ErrGone
		}
	}
	return nil
}

func (b *browser) unwatch(_ io.Writer, args []string) error {
	ref := strings.Join(args, "")
	if !b.watched.remove(ref) && ref != "" {
		return fmt.Errorf("%s is not watched", ref)
	}
	return nil
}
