package description

import (
	"fmt"
	"iter"
)

// A large wrong file must not take long: these bound the search for right names.
const (
	maxHints      = 200  // names for which the nearest is searched
	maxCandidates = 2000 // names with which one is compared
	maxNameLength = 64   // of both, bytes
)

// nearest returns the candidate that differs least from name, or "" when none is near enough to have been meant.
func nearest(name string, candidates iter.Seq[string]) string {
	if len(name) > maxNameLength {
		return ""
	}
	best, bestDistance, seen := "", 1+len(name)/3, 0
	for c := range candidates {
		if seen++; seen > maxCandidates {
			break
		}
		apart := max(len(c)-len(name), len(name)-len(c)) // no candidate is nearer than that
		if c == name || len(c) > maxNameLength || apart > bestDistance {
			continue
		}
		if d := editDistance(name, c); d < bestDistance || d == bestDistance && (best == "" || c < best) {
			best, bestDistance = c, d
		}
	}
	return best
}

// didYouMean ends a message about an unknown name with the nearest right one.
func (r *report) didYouMean(name string, candidates iter.Seq[string]) string {
	if r.hints++; r.hints > maxHints {
		return ""
	}
	if n := nearest(name, candidates); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

// editDistance counts the insertions, deletions, substitutions and swaps of neighbours that turn a into b, upper and
// lower case taken as equal (Damerau 1964, restricted to one edit per place). Both are no longer than maxNameLength.
func editDistance(a, b string) int {
	var rows [3][maxNameLength + 1]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if lower(a[i-1]) == lower(b[j-1]) {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && lower(a[i-1]) == lower(b[j-2]) && lower(a[i-2]) == lower(b[j-1]) {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
