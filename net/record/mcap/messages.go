package mcap

import (
	"cmp"
	"container/heap"
	"fmt"
	"iter"
	"math"
	"slices"
)

// Filter selects messages. Its zero value selects all.
type Filter struct {
	Channels []uint16 // nil: all
	From, To uint64   // log times, From ≤ t < To in ns; To 0: to the end
}

func (s Filter) times() (from, last uint64) {
	if s.To == 0 {
		return s.From, math.MaxUint64
	}
	return s.From, s.To - 1
}

// Messages iterates over the selected messages in the order of their log times; equal ones in the order of the file.
// A damaged chunk yields an error with an empty Message; the messages after it follow.
func (f *Reader) Messages(selected Filter) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		refs := f.chunksFor(selected)
		var open openChunks
		held := 0 // bytes of the open chunks
		for len(refs) > 0 || len(open) > 0 {
			// Open every chunk that may hold the next message.
			if len(refs) > 0 && (len(open) == 0 || refs[0].start <= open[0].next().LogTime) {
				c, err := f.openChunk(refs[0], selected, maxOpen-held)
				if err != nil && !yield(Message{}, err) {
					return
				}
				if len(c.at) > 0 {
					held += len(c.records)
					heap.Push(&open, c)
				}
				refs = refs[1:]
				continue
			}
			c := &open[0]
			m := c.next()
			c.at = c.at[1:]
			if len(c.at) == 0 {
				held -= len(c.records)
				heap.Pop(&open)
			} else {
				heap.Fix(&open, 0)
			}
			if !yield(m, nil) {
				return
			}
		}
	}
}

// orderedRef is a chunk and its position in the file.
type orderedRef struct {
	chunkRef
	order int
}

// chunksFor returns the chunks that may hold selected messages, by their first log time.
func (f *Reader) chunksFor(s Filter) []orderedRef {
	from, last := s.times()
	var refs []orderedRef
	for i, ref := range f.chunks {
		wanted := s.Channels == nil || ref.counts == nil
		for _, id := range s.Channels {
			wanted = wanted || ref.counts[id] > 0
		}
		if wanted && ref.start <= last && ref.end >= from {
			refs = append(refs, orderedRef{ref, i})
		}
	}
	slices.SortStableFunc(refs, func(a, b orderedRef) int { return cmp.Compare(a.start, b.start) })
	return refs
}

// openChunk reads the selected messages of one chunk, of at most room bytes. If it fails, it returns the messages
// before the damage.
func (f *Reader) openChunk(ref orderedRef, s Filter, room int) (openChunk, error) {
	c := openChunk{order: ref.order}
	damaged := func(err error) (openChunk, error) {
		return c, fmt.Errorf("mcap: chunk at byte %d: %w", ref.offset, err)
	}
	var err error
	if c.records, err = f.records(ref.chunkRef); err != nil {
		return c, err
	}
	if len(c.records) > room {
		return damaged(errOpen)
	}
	from, last := s.times()
	sorted, latest := true, uint64(0)
	messages, most := uint64(0), ref.maxMessages()
	for rest := c.records; len(rest) > 0; {
		at := len(c.records) - len(rest)
		op, record, after, err := next(rest)
		if err != nil {
			return damaged(err)
		}
		rest = after
		if op != opMessage {
			continue
		}
		if messages++; messages > most {
			return damaged(errDense)
		}
		m := record.message()
		if record.err != nil || f.channels[m.ChannelID] == nil {
			return damaged(errNoChannel)
		}
		if m.LogTime < from || m.LogTime > last || s.Channels != nil && !slices.Contains(s.Channels, m.ChannelID) {
			continue
		}
		sorted = sorted && latest <= m.LogTime
		latest = m.LogTime
		c.at = append(c.at, uint32(at))
	}
	if !sorted {
		slices.SortStableFunc(c.at, func(a, b uint32) int { return cmp.Compare(c.message(a).LogTime, c.message(b).LogTime) })
	}
	return c, nil
}

// openChunk holds the remaining messages of a chunk, at least one while it is in the heap.
type openChunk struct {
	order   int
	records []byte
	at      []uint32 // their offsets in records, sorted by log time
}

func (c *openChunk) next() Message { return c.message(c.at[0]) }

// message reads the message record at an offset where one was found before.
func (c *openChunk) message(at uint32) Message {
	_, record, _, _ := next(c.records[at:])
	return record.message()
}

// openChunks is a heap: the chunk with the next message comes first.
type openChunks []openChunk

func (h openChunks) Len() int { return len(h) }

func (h openChunks) Less(i, j int) bool {
	a, b := h[i].next().LogTime, h[j].next().LogTime
	return a < b || a == b && h[i].order < h[j].order
}

func (h openChunks) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *openChunks) Push(x any)   { *h = append(*h, x.(openChunk)) }

func (h *openChunks) Pop() any {
	last := (*h)[len(*h)-1]
	(*h)[len(*h)-1] = openChunk{} // free its records
	*h = (*h)[:len(*h)-1]
	return last
}
