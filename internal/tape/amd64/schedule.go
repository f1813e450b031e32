package amd64

import "slices"

// orders returns candidate orders of the operations, leaves left out. Which needs the fewest registers depends on the
// program; the assembler tries all of them.
func orders(nodes []node) [][]int {
	var asWritten []int
	for i := range nodes {
		if nodes[i].op != leaf {
			asWritten = append(asWritten, i)
		}
	}
	deep := depthFirst(nodes)
	return [][]int{asWritten, deep, greedy(nodes, asWritten), greedy(nodes, deep)}
}

// depthFirst computes each result in turn, of two operands first the one whose computation needs more registers (Sethi
// and Ullman 1970).
func depthFirst(nodes []node) []int {
	registers := make([]int, len(nodes))
	for i := range nodes {
		var needs []int
		for _, a := range nodes[i].args {
			needs = append(needs, registers[a])
		}
		slices.SortFunc(needs, func(a, b int) int { return b - a })
		for k, n := range needs {
			registers[i] = max(registers[i], n+k, 1)
		}
	}
	var order []int
	done := make([]bool, len(nodes))
	var visit func(i int)
	visit = func(i int) {
		if done[i] || nodes[i].op == leaf {
			return
		}
		done[i] = true
		args := slices.Clone(nodes[i].args)
		slices.SortStableFunc(args, func(a, b int) int { return registers[b] - registers[a] })
		for _, a := range args {
			visit(a)
		}
		order = append(order, i)
	}
	type result struct{ array, index, node int }
	var results []result
	for i := range nodes {
		for _, o := range nodes[i].results {
			results = append(results, result{int(o.Array), int(o.Index), i})
		}
	}
	slices.SortFunc(results, func(a, b result) int { return a.node - b.node })
	for _, r := range results {
		visit(r.node)
	}
	if last := len(nodes) - 1; last >= 0 && nodes[last].op == exit {
		visit(last)
	}
	return order
}

// greedy takes, of the operations that are ready, the one that frees the most registers; of equals, the first in the
// given order.
func greedy(nodes []node, order []int) []int {
	users := make([][]int, len(nodes))
	uses := make([]int, len(nodes))    // operations left that need the node
	waiting := make([]int, len(nodes)) // operands left to compute
	for _, i := range order {
		for _, a := range distinct(nodes[i].args) {
			users[a] = append(users[a], i)
			uses[a]++
			if nodes[a].op != leaf {
				waiting[i]++
			}
		}
	}
	rank := make([]int, len(nodes))
	for k, i := range order {
		rank[i] = k
	}
	var ready []int
	for _, i := range order {
		if waiting[i] == 0 {
			ready = append(ready, i)
		}
	}
	gain := func(i int) int {
		g := 0
		if len(users[i]) > 0 {
			g = -2
		}
		for _, a := range distinct(nodes[i].args) {
			if uses[a] == 1 && nodes[a].op != leaf {
				g += 2
			}
		}
		return g
	}
	var result []int
	for len(ready) > 0 {
		best := 0
		for k := range ready {
			if a, b := gain(ready[k]), gain(ready[best]); a > b || a == b && rank[ready[k]] < rank[ready[best]] {
				best = k
			}
		}
		i := ready[best]
		ready = slices.Delete(ready, best, best+1)
		result = append(result, i)
		for _, a := range distinct(nodes[i].args) {
			uses[a]--
		}
		for _, u := range users[i] {
			if waiting[u]--; waiting[u] == 0 {
				ready = append(ready, u)
			}
		}
	}
	return result
}

// distinct returns the nodes without repetition.
func distinct(args []int) []int {
	var d []int
	for _, a := range args {
		if !slices.Contains(d, a) {
			d = append(d, a)
		}
	}
	return d
}
