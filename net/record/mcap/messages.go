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

// Messages goes through the selected messages in the order of their log times;
// equal ones in the order of the file. A damaged chunk gives an error with an
// empty Message in its place, and what is behind it follows.
func (f *Reader) Messages(selected Filter) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		refs := f.chunksFor(selected)
		var open openChunks
		for len(refs) > 0 || len(open) > 0 {
			// Open every chunk that may hold the next message.
			if len(refs) > 0 && (len(open) == 0 || refs[0].start <= open[0].messages[0].LogTime) {
				messages, err := f.messagesOf(refs[0].chunkRef, selected)
				if err != nil && !yield(Message{}, err) {
					return
				}
				if len(messages) > 0 {
					heap.Push(&open, openChunk{refs[0].order, messages})
				}
				refs = refs[1:]
				continue
			}
			c := &open[0]
			m := c.messages[0]
			c.messages = c.messages[1:]
			if len(c.messages) == 0 {
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

// orderedRef is a chunk and its place in the file.
type orderedRef struct {
	chunkRef
	order int
}

// chunksFor lists the chunks that may hold selected messages, by their first log time.
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

// messagesOf reads the selected messages of one chunk in the order of their log times.
func (f *Reader) messagesOf(ref chunkRef, s Filter) ([]Message, error) {
	records, err := f.records(ref)
	if err != nil {
		return nil, err
	}
	from, last := s.times()
	var messages []Message
	sorted := true
	for len(records) > 0 {
		op, c, rest, err := next(records)
		if err != nil {
			return messages, fmt.Errorf("mcap: chunk at byte %d: %w", ref.offset, err)
		}
		records = rest
		if op != opMessage {
			continue
		}
		m := c.message()
		if c.err != nil || f.channels[m.ChannelID] == nil {
			return nil, fmt.Errorf("mcap: chunk at byte %d: %w", ref.offset, errNoChannel)
		}
		if m.LogTime < from || m.LogTime > last || s.Channels != nil && !slices.Contains(s.Channels, m.ChannelID) {
			continue
		}
		sorted = sorted && (len(messages) == 0 || messages[len(messages)-1].LogTime <= m.LogTime)
		messages = append(messages, m)
	}
	if !sorted {
		slices.SortStableFunc(messages, func(a, b Message) int { return cmp.Compare(a.LogTime, b.LogTime) })
	}
	return messages, nil
}

// openChunk holds the messages of a chunk that are still to come, at least one.
type openChunk struct {
	order    int
	messages []Message
}

// openChunks is a heap: the next message of all comes first.
type openChunks []openChunk

func (h openChunks) Len() int { return len(h) }

func (h openChunks) Less(i, j int) bool {
	a, b := h[i].messages[0].LogTime, h[j].messages[0].LogTime
	return a < b || a == b && h[i].order < h[j].order
}

func (h openChunks) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *openChunks) Push(x any)   { *h = append(*h, x.(openChunk)) }

func (h *openChunks) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
