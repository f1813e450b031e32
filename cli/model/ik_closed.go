package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/robot/ik"
)

// closedForm returns all solutions of an arm, those nearest to the start first.
func (w *ikWork) closedForm(arm *ik.Analytic, r *ikResult) error {
	r.Method = "closed form, " + arm.Class().String()
	redundancy, err := w.chooseRedundancy(arm)
	var list []ik.Solution
	if err == nil {
		list, err = arm.Solve(w.target, redundancy)
	}
	var failed *ik.Failure
	if errors.As(err, &failed) {
		return w.nearestTo(*failed, r)
	}
	if err != nil {
		return err
	}
	for i := range list {
		s := ikSolution{Q: slices.Clone(w.start), Singular: singularParts(list[i].Singular)}
		arm.Configuration(&list[i], s.Q)
		if arm.Class().Axes() == 7 {
			x := verb.Number(redundancy)
			s.Redundancy = &x
		}
		r.Solutions = append(r.Solutions, s)
	}
	slices.SortStableFunc(r.Solutions, func(a, b ikSolution) int {
		if w.away(a.Q) < w.away(b.Q) {
			return -1
		}
		return 1
	})
	return nil
}

// chooseRedundancy returns the redundancy of an arm with seven axes for which solutions are listed.
func (w *ikWork) chooseRedundancy(arm *ik.Analytic) (float64, error) {
	if w.redundancy != nil || arm.Class().Axes() != 7 {
		if w.redundancy == nil {
			return 0, nil
		}
		return *w.redundancy, nil
	}
	q := make([]float64, len(w.start))
	err := arm.Nearest(w.target, w.start, q)
	return arm.Redundancy(q), err
}

// nearestTo searches for the configuration nearest to a target that the closed form cannot reach. If the search
// reaches the target nevertheless, at the edge of the limits or with another redundancy than the requested one, that
// is the answer.
func (w *ikWork) nearestTo(why ik.Failure, r *ikResult) error {
	method := r.Method
	if err := w.search(r); err != nil || r.Failure == nil {
		r.Note = fmt.Sprintf("%s: %v", method, &why)
		return err
	}
	r.Method = method
	why.Linear, why.Angular = float64(r.Failure.Position), float64(r.Failure.Rotation)
	w.fail(r, why, r.Failure.Nearest)
	return nil
}

// away returns the distance of a configuration from the start.
func (w *ikWork) away(q []float64) float64 {
	return w.model.Distance(w.start, q, make([]float64, w.model.NV()))
}

// singularParts returns the parts of an arm that are singular.
func singularParts(s ik.Singularity) string {
	var list []string
	for _, part := range []struct {
		is   bool
		name string
	}{{s.Shoulder(), "shoulder"}, {s.Elbow(), "elbow"}, {s.Wrist(), "wrist"}} {
		if part.is {
			list = append(list, part.name)
		}
	}
	return strings.Join(list, ", ")
}
