// Package nearest finds the name that somebody who misspelled one probably meant.
package nearest

import "strings"

// Name returns the candidate nearest to word by edit distance, or "" where none is near: a candidate is near when
// at most a third of its letters, and at least one, differ, or when one name contains the other.
func Name(word string, candidates []string) string {
	best, bestDistance := "", len(word)/3+1
	for _, c := range candidates {
		d := distance(strings.ToLower(word), strings.ToLower(c))
		if c != word && d <= bestDistance && (best == "" || d < bestDistance) {
			best, bestDistance = c, d
		}
	}
	if best != "" {
		return best
	}
	for _, c := range candidates {
		if len(word) >= 3 && (strings.Contains(c, word) || strings.Contains(word, c)) && c != "" {
			return c
		}
	}
	return ""
}

// Hint returns Name as the end of a message: "; did you mean \"kp\"?", or the list of the candidates where none is
// near and they are few.
func Hint(word string, candidates []string) string {
	const few = 8
	if n := Name(word, candidates); n != "" {
		return "; did you mean \"" + n + "\"?"
	}
	if len(candidates) > 0 && len(candidates) <= few {
		return "; there is " + strings.Join(candidates, ", ")
	}
	return ""
}

// distance is the optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbors.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
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
		before, last = last, row
	}
	return last[len(b)]
}
