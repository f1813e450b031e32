package mcap

import "bytes"

// describe handles a schema or channel record. It copies what it keeps, since the record's bytes belong to a chunk
// that is freed.
func (f *Reader) describe(op opcode, c *cursor) error {
	size := len(c.b)
	if err := op.checkLength(uint64(size)); err != nil {
		return err
	}
	if op == opSchema {
		s := c.schema()
		if c.err != nil {
			return c.err
		}
		if err := f.hold(s.cost(), f.schemas[s.ID].cost()); err != nil {
			return err
		}
		s.Data = bytes.Clone(s.Data)
		f.schemas[s.ID] = s
		return nil
	}
	k := c.channel()
	if c.err != nil {
		return c.err
	}
	if err := f.hold(k.cost(), f.channels[k.ID].cost()); err != nil {
		return err
	}
	f.channels[k.ID] = k
	return nil
}

// addMetadata handles a metadata record.
func (f *Reader) addMetadata(c *cursor) error {
	m := c.metadata()
	if c.err != nil {
		return c.err
	}
	if err := f.hold(entryCost+len(m.Name)+costOf(m.Values), 0); err != nil {
		return err
	}
	f.metadata = append(f.metadata, m)
	return nil
}

// cost returns the memory of a schema, in bytes; 0 for nil.
func (s *Schema) cost() int {
	if s == nil {
		return 0
	}
	return entryCost + len(s.Name) + len(s.Encoding) + len(s.Data)
}

// cost returns the memory of a channel, in bytes; 0 for nil.
func (k *Channel) cost() int {
	if k == nil {
		return 0
	}
	return entryCost + len(k.Topic) + len(k.Encoding) + costOf(k.Metadata)
}

func costOf(values map[string]string) int {
	n := 0
	for k, v := range values {
		n += entryCost + len(k) + len(v)
	}
	return n
}
