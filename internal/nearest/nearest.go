// Package nearest finds the name that a misspelled one probably means.
package nearest

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Limits of a comparison.
const (
	MaxCompared = 2000 // candidates of a similar length; further ones are ignored
	MaxWord     = 200  // bytes of a word: a longer word has no match
)

// Name returns the candidate nearest to word: that of [Similar], otherwise the first that contains word or is
// contained in it, or "" if there is none.
func Name(word string, candidates []string) string {
	best := Similar(word, slices.Values(candidates))
	if best != "" || len(word) < 3 || len(word) > MaxWord {
		return best
	}
	for _, c := range candidates[:min(len(candidates), MaxCompared)] {
		if (strings.Contains(c, word) || strings.Contains(word, c)) && c != "" {
			return c
		}
	}
	return ""
}

// Similar returns the candidate with the smallest edit distance to word, ignoring case, or "" if none is near: at
// most a third of its letters may differ, and one more where the first letter is right. Of several with the same distance it returns the first in
// alphabetical order, so the order of the candidates does not matter. It never returns word itself.
func Similar(word string, candidates iter.Seq[string]) string {
	if len(word) > MaxWord {
		return ""
	}
	m := measure{word: strings.ToLower(word)}
	best, bestDistance, left := "", len(word)/3+1, MaxCompared
	for c := range candidates {
		if difference := len(c) - len(word); difference > bestDistance || -difference > bestDistance || c == word {
			continue
		}
		if left--; left < 0 {
			break
		}
		d := m.distance(strings.ToLower(c))
		if d > len(word)/3 && (word == "" || c == "" || m.word[0] != strings.ToLower(c)[0]) {
			continue
		}
		if d < bestDistance || d == bestDistance && (best == "" || c < best) {
			best, bestDistance = c, d
		}
	}
	return best
}

// Hint returns Name as the end of a message: "; did you mean \"kp\"?", or the list of the candidates if none is near
// and they are few.
func Hint(word string, candidates []string) string {
	const few = 20
	if n := Name(word, candidates); n != "" {
		return "; did you mean \"" + n + "\"?"
	}
	if len(candidates) > 0 && len(candidates) <= few {
		return "; there is " + strings.Join(candidates, ", ")
	}
	return ""
}

// Later returns [Hint] for a message that may never be printed: the candidates are collected and compared when its
// text is needed.
func Later(word string, candidates func() []string) fmt.Stringer { return later{word, candidates} }

type later struct {
	word       string
	candidates func() []string
}

func (l later) String() string { return Hint(l.word, l.candidates()) }

// measure compares names with one word and reuses its rows.
type measure struct {
	word              string
	before, last, row []int
}

// distance returns the optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbors.
func (m *measure) distance(b string) int {
	a := m.word
	for len(m.row) <= len(b) {
		m.before, m.last, m.row = append(m.before, 0), append(m.last, 0), append(m.row, 0)
	}
	before, last, row := m.before, m.last, m.row
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(row[j-1]+1, last[j]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
