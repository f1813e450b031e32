package block

import "io/fs"

// Setup is what a block is told, and says, before it is linked.
type Setup struct {
	instance *Instance
	files    fs.FS
}

// Name returns the block's name in the system.
func (s *Setup) Name() string { return s.instance.Name }

// Files returns the folder of the system file: paths in constants are relative to it.
func (s *Setup) Files() fs.FS { return s.files }

// Len fixes the length of the slices of ports and operations. An operation's slices, in arguments and result, all get
// the same length.
func (s *Setup) Len(n int, ports ...Sized) {
	for _, p := range ports {
		p.setLen(n)
	}
}

// SameLen says that the slices of the given ports have one length, which whatever they are linked to decides.
func (s *Setup) SameLen(ports ...Sized) {
	s.instance.sameLen = append(s.instance.sameLen, ports)
}
