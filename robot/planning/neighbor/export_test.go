package neighbor

import "github.com/sinew-robotics/sinew/robot/planning/space"

// NewPlainKD returns a k-d tree that compares points one by one, as on processors without kernels.
func NewPlainKD(s space.Space, capacity int) (*KD, error) { return newKD(s, capacity, nil) }

// NewPlainGNAT returns a GNAT that compares points one by one, as on processors without kernels.
func NewPlainGNAT(s space.Space, capacity int) (*GNAT, error) { return newGNAT(s, capacity, nil) }

// NewPlainLinear returns a linear search that compares points one by one.
func NewPlainLinear(s space.Space, capacity int) *Linear { return newLinear(s, capacity, nil) }

// NewPlain is New on a processor without kernels.
func NewPlain(s space.Space, capacity int) Index { return newIndex(s, capacity, nil) }

// HasKernels reports whether an index compares points eight at once.
func HasKernels(i Index) bool {
	switch i := i.(type) {
	case *KD:
		return i.filter != nil
	case *GNAT:
		return i.filter != nil
	case *Linear:
		return i.filter != nil
	}
	return false
}

// Processor reports whether this processor has kernels.
func Processor() bool { return processor() != nil }
