package system

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// spelled returns the texts of the links that the text of an entry stands for, with their ranges: a -> b -> c is a -> b and b -> c, and a
// list in braces, as {a,b}, repeats the link for each of its parts. Several lists of one link are taken part by part. A mistake is reported
// at n, and nothing is returned.
func (l *loader) spelled(n *yaml.Node, text string) (links []string) {
	if strings.Count(text, "->") < 2 && !strings.Contains(text, "{") {
		return []string{text}
	}
	ends := strings.Split(text, "->")
	if len(ends) > 2 && strings.Contains(placeholder.ReplaceAllString(text, ""), ".") {
		l.fail(n, "link %q: a chain joins whole blocks, as in a -> b -> c: write links of ports one by one", text)
		return nil
	}
	if len(ends) < 2 {
		return []string{text} // ends reports it
	}
	for k := range len(ends) - 1 {
		hop := strings.TrimSpace(ends[k]) + " -> " + strings.TrimSpace(ends[k+1])
		zipped := l.zipped(n, hop)
		if zipped == nil {
			return nil
		}
		links = append(links, zipped...)
	}
	return links
}

// zipped returns the texts that a text with lists stands for, or the text alone where it has none.
func (l *loader) zipped(n *yaml.Node, text string) []string {
	pieces := pieces(text)
	count := 1
	for _, p := range pieces {
		switch {
		case len(p) == 1:
			continue
		case count > 1 && len(p) != count:
			l.fail(n, "link %q: its lists have %d and %d parts: those of a link are taken part by part, so they need the same number", text, count, len(p))
			return nil
		}
		count = len(p)
		for _, part := range p {
			if part == "" {
				l.fail(n, "link %q: a list has an empty part: write {a,b}", text)
				return nil
			}
			if inner := parts(part); inner != nil {
				l.fail(n, "link %q: a list inside a list: write it as a link of its own", text)
				return nil
			}
		}
	}
	if count > maxRepeated-l.repeated {
		l.fail(n, "link %q: the ranges and lists of a system have at most %d parts together", text, maxRepeated)
		return nil
	}
	if count > 1 {
		l.repeated += count
	}
	all := make([]string, count)
	for k := range all {
		var one strings.Builder
		for _, p := range pieces {
			one.WriteString(p[min(k, len(p)-1)])
		}
		all[k] = one.String()
	}
	return all
}

// pieces cuts a text into what stands between lists, which are pieces with one part, and the lists with several.
func pieces(text string) (pieces [][]string) {
	begin := 0
	for k := 0; k < len(text); k++ {
		if text[k] != '{' {
			continue
		}
		end := closing(text, k)
		if end < 0 {
			break // the range reports it
		}
		if list := splitList(text[k+1 : end]); len(list) > 1 && (k == 0 || text[k-1] != '$') {
			pieces = append(pieces, []string{text[begin:k]}, list)
			begin = end + 1
		}
		k = end
	}
	return append(pieces, []string{text[begin:]})
}

// parts returns the parts of the first list in a text; nil where it has none.
func parts(text string) []string {
	for _, p := range pieces(text) {
		if len(p) > 1 {
			return p
		}
	}
	return nil
}

// closing returns where the brace that opens at begin closes; -1 where it does not.
func closing(text string, begin int) int {
	depth := 0
	for k := begin; k < len(text); k++ {
		switch text[k] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return -1
}

// splitList splits what is in braces at the commas that are in no inner braces or brackets, without the spaces around the parts.
func splitList(text string) (list []string) {
	depth, begin := 0, 0
	for k := range len(text) {
		switch text[k] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(text[begin:k]))
				begin = k + 1
			}
		}
	}
	return append(list, strings.TrimSpace(text[begin:]))
}
