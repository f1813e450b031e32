package hexapod

import "testing"

// TestGaitsSwingEachLegOnceInACycle checks that at most as many legs swing as the gait's name allows, never two
// neighbours, and that all feet are down between swings.
func TestGaitsSwingEachLegOnceInACycle(t *testing.T) {
	neighbours := [][2]int{{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {2, 5}}
	for g, most := range []int{3, 2, 1} {
		p, down := &patterns[g], 0
		var swings [len(Legs)]int
		var before [len(Legs)]float64
		const n = 3000
		for k := range n {
			phase, up := float64(k)/n, 0
			for i := range Legs {
				swing := p.swing(i, phase)
				if swing > 0 {
					up++
				}
				if swing > 0 && before[i] == 0 {
					swings[i]++
				}
				before[i] = swing
			}
			for _, pair := range neighbours {
				if p.swing(pair[0], phase) > 0 && p.swing(pair[1], phase) > 0 {
					t.Fatalf("gait %d, phase %v: %s and %s swing", g, phase, Legs[pair[0]], Legs[pair[1]])
				}
			}
			if up > most {
				t.Fatalf("gait %d, phase %v: %d legs swing", g, phase, up)
			}
			if up == 0 {
				down++
			}
		}
		for i, count := range swings {
			if count != 1 {
				t.Errorf("gait %d: %s swings %d times in a cycle", g, Legs[i], count)
			}
		}
		if down < n/20 {
			t.Errorf("gait %d: all feet are down for %d of %d of the cycle", g, down, n)
		}
	}
}
