package exchange

import (
	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/schema"
)

// Spec describes the packets of a link between processes; both ends must have the same Spec. Packets are CDR.
type Spec struct {
	Name     string            // of the source, block.port; of a buffered link with the depth behind it
	Type     *schema.Type      // of a packet; nil between two foreign blocks
	Size     int               // of a packet, in bytes; of a bounded slice, that of its longest value
	Depth    int               // packets that may wait; 0: only the newest counts
	Overflow lockfree.Overflow // what a full queue drops
	From     string            // process of the source
	Priority int               // for the scheduler of a carrier between hosts: higher first
	Encoded  *link.Coded       // how values are written between processes; nil: as CDR
	Layout   *schema.Layout    // of the values of an encoded link
	Ticked   int               // packets with their ticks that may wait for the reader's; 0: the reader takes what has come
}

// Link returns the description that transports take.
func (s *Spec) Link() link.Spec {
	spec := link.Spec{Name: s.Name, Size: s.Size, Varies: s.varies(), Depth: s.Depth, Overflow: s.Overflow, Priority: s.Priority}
	if s.Type != nil {
		spec.Schema = s.Type.Definition()
	}
	if s.Encoded != nil {
		spec.Schema += "# encoded: " + s.Encoded.String() + "\n"
		spec.Size = s.codec().Size()
	}
	if s.Ticked > 0 {
		spec.Schema += trailerText
		spec.Size += trailerSize
		spec.Depth = max(spec.Depth, s.Ticked)
	}
	return spec
}

// codec returns a new codec of an encoded link.
func (s *Spec) codec() link.Codec {
	codec, err := s.Encoded.New(s.Layout, s.Encoded.Options)
	if err != nil {
		panic("exchange: " + s.Name + ": " + err.Error()) // the diagram has made one
	}
	return codec
}

// varies reports whether each packet has a length of its own.
func (s *Spec) varies() bool { return s.Type != nil && s.Type.Most() > 0 }

// NewQueue returns a queue for values of size bytes, of which depth may wait.
func NewQueue(size, depth int, overflow lockfree.Overflow) *lockfree.Queue {
	return lockfree.NewQueue(lockfree.Memory(lockfree.QueueSize(size, depth)), size, depth, overflow)
}
