package link

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/net/schema"
)

// Encoding is another way to write the packets of a link between processes, for example a shorter one for a slow network. A program registers it
// beside its blocks; system files name it with the key encode of a link.
type Encoding struct {
	// Name is the encoding's name in system files, as in quantized: letters, digits, - and _.
	Name string
	// Doc is one sentence, for messages and help.
	Doc string
	// New returns a codec for packets of a layout; Spec.Varies is that of the link. Each end of a link has its own. options are those of the
	// system file, as it writes them; the error describes the first that is missing, unknown or not possible with these packets.
	New func(layout *schema.Layout, options map[string]string) (Codec, error)
}

// Codec encodes or decodes the packets of one link, at one of its ends. It neither waits nor allocates.
type Codec interface {
	// Size returns the length of an encoded packet in bytes; of packets with lengths of their own, that of the longest.
	Size() int
	// Encode writes a packet encoded into a buffer of Size bytes and returns its length, which is Size unless the link's packets have lengths
	// of their own. The error, which was made before, describes what the decoded packet will not show; it is encoded nevertheless.
	Encode(into, packet []byte) (n int, err error)
	// Decode writes the packet that was encoded into a buffer of the layout's size, and returns its length; false if the bytes are none. It gets
	// the packets that have arrived, in order: any may be missing, and the bytes may be those of an attacker.
	Decode(into, encoded []byte) (n int, ok bool)
}

// Coded is an encoding as a link chooses it.
type Coded struct {
	Encoding
	Options map[string]string
}

// String returns the encoding with its options, as in quantized (bits: 12, max: 3.2, min: -3.2).
func (c *Coded) String() string {
	if len(c.Options) == 0 {
		return c.Name
	}
	var list []string
	for _, key := range slices.Sorted(maps.Keys(c.Options)) {
		list = append(list, key+": "+c.Options[key])
	}
	return c.Name + " (" + strings.Join(list, ", ") + ")"
}

// Validate returns what is wrong with the declaration of an encoding.
func (e *Encoding) Validate() error {
	if err := checkName("encoding", e.Name); err != nil || e.New != nil {
		return err
	}
	return fmt.Errorf("encoding %s has no New", e.Name)
}

// checkName returns what is wrong with the name of a carrier, an encoding or a scheduler.
func checkName(what, name string) error {
	allowed := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
	}
	if name == "" || slices.ContainsFunc([]rune(name), func(r rune) bool { return !allowed(r) }) {
		return fmt.Errorf("%s %q: a name consists of letters, digits, - and _", what, name)
	}
	return nil
}
