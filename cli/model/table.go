package model

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// table is text in columns: the first is left-aligned, as are columns whose title starts with "<"; others are
// right-aligned.
type table struct {
	titles []string
	rows   [][]string
}

func newTable(titles ...string) *table { return &table{titles: titles} }

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// print prints the table, indented by two spaces; empty columns are omitted.
func (t *table) print(w io.Writer) {
	width := make([]int, len(t.titles))
	for _, r := range t.rows {
		for i, cell := range r {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	line := func(cells []string) {
		var b strings.Builder
		for i, cell := range cells {
			if width[i] == 0 {
				continue
			}
			gap := strings.Repeat(" ", max(0, width[i]-utf8.RuneCountInString(cell)))
			b.WriteString("  ")
			if i == 0 || strings.HasPrefix(t.titles[i], "<") {
				b.WriteString(cell + gap)
			} else {
				b.WriteString(gap + cell)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
	titles := make([]string, len(t.titles))
	for i, title := range t.titles {
		titles[i] = strings.TrimPrefix(title, "<")
		if width[i] > 0 {
			width[i] = max(width[i], utf8.RuneCountInString(titles[i]))
		}
	}
	line(titles)
	for _, r := range t.rows {
		line(r)
	}
}

// decimal formats a number for people, with at most six decimals; very large and small ones with an exponent.
func decimal(x float64) string {
	text := fixed(x)
	if strings.Contains(text, ".") && !strings.Contains(text, "e") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// fixed formats a number with six decimals, for columns of results.
func fixed(x float64) string {
	switch size := math.Abs(x); {
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "-∞"
	case math.IsNaN(x):
		return "–"
	case size < 1e-12:
		x = 0 // rounding error
	case size < 1e-4 || size >= 1e7:
		return strconv.FormatFloat(x, 'e', 3, 64)
	}
	return strconv.FormatFloat(x, 'f', 6, 64)
}

// entry formats one number of a list for people, "" if there is no list.
func entry(list []float64, i int) string {
	if list == nil {
		return ""
	}
	return fixed(list[i])
}

// triple formats three numbers for people.
func triple(v []float64) string {
	return decimal(v[0]) + ", " + decimal(v[1]) + ", " + decimal(v[2])
}
