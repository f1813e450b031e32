package block

import (
	"fmt"
	"io/fs"

	"github.com/sinew-robotics/sinew/net/port"
)

// The limits of one block.
const (
	MaxElements   = 1 << 26 // of the slice of a port or an operation
	MaxBlockPorts = 1 << 16 // in one array of ports
	MaxNotices    = 10      // of a Setup; the last one gives the number of those that it leaves out
)

// Setup is what a block gets and sets before it is linked: its name and files, the lengths of its slices.
type Setup struct {
	instance *port.Instance
	files    fs.FS
	sameLen  [][]Sized
	omitted  []omission
	required []Sized
	unkept   []unkept
	notices  int   // all, also those that are left out
	err      error // of the first length that is not possible
}

// omission is a port or an operation that a block does not have in this configuration.
type omission struct {
	field Sized
	why   string
}

// Name returns the block's name in the system.
func (s *Setup) Name() string { return s.instance.Name }

// Files returns the folder of the system file: paths in constants are relative to it.
func (s *Setup) Files() fs.FS { return s.files }

// Notice adds what is no error of the block, but may not be wanted, such as a part of a file that is not read. The net has it among
// its notices, once for all blocks with the same text, and check and run print it. At most [MaxNotices] of a block are kept; more
// are counted.
func (s *Setup) Notice(text string) {
	list := &s.instance.Notices
	switch s.notices++; {
	case s.notices <= MaxNotices:
		*list = append(*list, text)
	default:
		(*list)[MaxNotices-1] = fmt.Sprintf("and %d more notices", s.notices-MaxNotices+1)
	}
}

// Block returns the block that is set up. For a struct embedded in it, that is the outer block: a base type finds the methods there
// with which the outer type replaces its own.
func (s *Setup) Block() Block { return s.instance.Block }

// Omit removes ports and operations that the block does not have in this configuration: a joint without a brake has no operation
// brakeApply. Links and calls to them are errors that contain the reason, as in "brake is false".
func (s *Setup) Omit(why string, fields ...Sized) {
	for _, f := range fields {
		s.omitted = append(s.omitted, omission{f, why})
	}
}

// unkept is a state field that a block does not keep in this configuration.
type unkept struct {
	field any
	why   string
}

// DoNotKeep makes a state field with the tag persist, which is given by a pointer to it, end with the run in this configuration, as if it
// had no such tag. A value of it that an earlier run has left stays where it is, and a notice contains the reason.
func (s *Setup) DoNotKeep(why string, fields ...any) {
	for _, f := range fields {
		s.unkept = append(s.unkept, unkept{f, why})
	}
}

// omit reports whether Setup has removed a field, and notes the reason under the field's name.
func (s *Setup) omit(field Sized, name string) bool {
	for _, o := range s.omitted {
		if o.field == field {
			if s.instance.Omitted == nil {
				s.instance.Omitted = map[string]string{}
			}
			s.instance.Omitted[name] = o.why
			return true
		}
	}
	return false
}

// Require makes inputs required that are so in this configuration only, as the tag required:"yes" does in all: a net in which one of
// them is not linked is refused.
func (s *Setup) Require(inputs ...Sized) { s.required = append(s.required, inputs...) }

// Len fixes the length of the slices of ports and operations. An operation's slices, in arguments and result, all get
// the same length. A length below 0 or above [MaxElements] is an error of the block.
func (s *Setup) Len(n int, ports ...Sized) {
	if n < 0 || n > MaxElements {
		s.fail(fmt.Errorf("Setup gives a port %d elements: wants 0 to %d", n, MaxElements))
		return
	}
	for _, p := range ports {
		p.setLen(n)
	}
}

// MaxLen lets each value of the ports have a length of its own, from 0 to n elements; a longer one is an error of the block: see
// [Out.Write]. An input takes such values only if its block declares it. With n = 0 the port takes the bound of the port that it
// is linked to. A bound below 0 or above [MaxElements], or a port whose type is no slice, is an error of the block.
func (s *Setup) MaxLen(n int, ports ...Bounded) {
	if n < 0 || n > MaxElements {
		s.fail(fmt.Errorf("Setup gives a port at most %d elements: wants 0 to %d", n, MaxElements))
		return
	}
	for _, p := range ports {
		if !p.setMaxLen(n) {
			s.fail(fmt.Errorf("Setup gives a port a largest number of elements, but a %v has none: wants an In or Out of a slice", p.field().DataType()))
		}
	}
}

func (s *Setup) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// SameLen declares that the slices of the given ports have one length, which is that of the ports they are linked to.
func (s *Setup) SameLen(ports ...Sized) {
	s.sameLen = append(s.sameLen, ports)
}

// Sized is a port or an operation whose slices get their length in [Setup.Len].
type Sized interface{ setLen(n int) }

// Bounded is an input or output of a slice, whose values get lengths of their own in [Setup.MaxLen].
type Bounded interface {
	Sized
	setMaxLen(n int) bool
	field() port.Field
}

// sameLengths returns the ports of each call of SameLen.
func (s *Setup) sameLengths() (groups [][]*port.Port) {
	for _, sized := range s.sameLen {
		var group []*port.Port
		for _, x := range sized {
			if f, ok := x.(slot); ok && f.port() != nil {
				group = append(group, f.port())
			}
		}
		groups = append(groups, group)
	}
	return groups
}
