package description

import "fmt"

// maxCandidates bounds the names that a misspelt one is compared with.
const maxCandidates = 2000

// nearest returns the candidate that differs least from name, or "" when none
// is near enough to have been meant.
func nearest(name string, candidates []string) string {
	const maxLength = 80
	if len(name) > maxLength {
		return ""
	}
	if len(candidates) > maxCandidates {
		candidates = candidates[:maxCandidates]
	}
	best, bestDistance := "", 1+len(name)/3
	for _, c := range candidates {
		if len(c) > maxLength || c == name {
			continue
		}
		if d := editDistance(name, c); d < bestDistance || d == bestDistance && best == "" {
			best, bestDistance = c, d
		}
	}
	return best
}

// didYouMean ends a message about an unknown name with the nearest right one.
// It is silent in a report that is full: a large wrong file must not take long.
func (r *report) didYouMean(name string, candidates []string) string {
	if len(r.problems) >= maxProblems {
		return ""
	}
	if n := nearest(name, candidates); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

// editDistance counts the insertions, deletions, substitutions and swaps of
// neighbours that turn a into b, upper and lower case taken as equal
// (Damerau 1964, restricted to one edit per place).
func editDistance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
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
		before, last = last, row
	}
	return last[len(b)]
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
