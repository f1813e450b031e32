package neighbor

import "github.com/sinew-robotics/sinew/robot/planning/space"

// NewPlainKD returns a k-d tree that compares points one by one, as on processors without kernels.
func NewPlainKD(s space.Space, capacity int) (*KD, error) { return newKD(s, capacity, nil) }

// NewPlain is New on a processor without kernels.
func NewPlain(s space.Space, capacity int) Index { return newIndex(s, capacity, nil) }

// HasKernels reports whether the tree compares points eight at once.
func (t *KD) HasKernels() bool { return t.filter != nil }

// Processor reports whether this processor has kernels.
func Processor() bool { return processor() != nil }
