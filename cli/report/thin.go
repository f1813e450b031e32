package report

import (
	"cmp"
	"math"
	"slices"
)

// thin keeps at most five points of a signal in each of a number of columns of equal time: the first, the last, both
// extremes, and one NaN, so that neither a peak nor a gap is lost.
func thin(s Signal, columns int) Signal {
	if len(s.Values) <= columns {
		return s
	}
	out := Signal{Name: s.Name, Unit: s.Unit}
	begin, end := s.Time[0], s.Time[len(s.Time)-1]
	column := func(i int) int { return int((s.Time[i] - begin) / (end - begin) * float64(columns)) }
	for i := 0; i < len(s.Values); {
		next := i + 1
		for next < len(s.Values) && column(next) == column(i) {
			next++
		}
		for _, k := range s.kept(i, next) {
			out.Time, out.Values = append(out.Time, s.Time[k]), append(out.Values, s.Values[k])
		}
		i = next
	}
	return out
}

// kept returns the indices of the points of a column to keep, in order.
func (s Signal) kept(from, to int) []int {
	list := []int{from, to - 1}
	lo, hi, none := -1, -1, -1
	for k := from; k < to; k++ {
		switch v := s.Values[k]; {
		case math.IsNaN(v) || math.IsInf(v, 0):
			none = k
		case lo < 0:
			lo, hi = k, k
		case v < s.Values[lo]:
			lo = k
		case v > s.Values[hi]:
			hi = k
		}
	}
	for _, k := range []int{lo, hi, none} {
		if k >= 0 {
			list = append(list, k)
		}
	}
	slices.SortFunc(list, cmp.Compare[int])
	return slices.Compact(list)
}

// pieces splits a signal at values that are not finite.
func (s Signal) pieces() (list []Signal) {
	begin := 0
	for i := 0; i <= len(s.Values); i++ {
		if i < len(s.Values) && finite(s.Values[i]) {
			continue
		}
		if i > begin {
			list = append(list, Signal{Time: s.Time[begin:i], Values: s.Values[begin:i]})
		}
		begin = i + 1
	}
	return list
}
