package space

// Point writes the point of the space at the configuration q of the scene to p; joints that are held do not count. q has length NQ, p Dim.
func (j *Joints) Point(q, p []float64) {
	for i, k := range j.index {
		p[i] = q[k]
	}
}

// Hold takes the values of the joints that are held from a configuration of the scene. q has length NQ; rad or m.
func (j *Joints) Hold(q []float64) { copy(j.hold, q) }
