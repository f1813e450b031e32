package record

import (
	"fmt"
	"io"
	"iter"
	"os"
	"strconv"

	"github.com/sinew-robotics/sinew/net/record/mcap"
	"github.com/sinew-robotics/sinew/net/schema"
)

// Reader reads a log. It is not safe for concurrent use.
type Reader struct {
	path     string
	file     io.Closer // nil if the caller owns it
	mcap     *mcap.Reader
	channels []Channel
	byName   map[string]*Channel
	layouts  map[ID]*schema.Layout
}

// Channel is a channel of a log.
type Channel struct {
	ID      ID
	Name    string       // "joint1.position"
	Type    *schema.Type // nil if the channel does not carry plain data; Problem explains why
	Problem error        // why Type is nil
	Samples uint64       // in the log
	Lost    uint64       // missing from the log, as counted by the recorder
}

// ErrNotLog is wrapped by the error of [Open] for a file in another format.
var ErrNotLog = mcap.ErrNotMCAP

// Open opens a log, even one that was cut off by a crash or is still being written: then it holds everything complete, and
// Damage describes what is missing. It fails for a file that cannot be read or is no log.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("record: opening log: %w", err)
	}
	r, err := openFile(path, f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("record: opening log %s: %w", path, err)
	}
	return r, nil
}

func openFile(path string, f *os.File) (*Reader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r, err := newReader(path, f, info.Size())
	if err != nil {
		return nil, err
	}
	r.file = f
	return r, nil
}

func newReader(path string, f io.ReaderAt, size int64) (*Reader, error) {
	m, err := mcap.NewReader(f, size)
	if err != nil {
		return nil, err
	}
	r := &Reader{path: path, mcap: m, byName: map[string]*Channel{}, layouts: map[ID]*schema.Layout{}}
	counts := m.Statistics().ChannelCount
	var lossID uint16
	for _, c := range m.Channels() {
		name := channelName(c.Topic)
		if name == LossChannel {
			lossID = c.ID
			continue
		}
		t, err := plainType(m, c)
		r.channels = append(r.channels, Channel{ID: ID(c.ID), Name: name, Type: t, Problem: err, Samples: counts[c.ID]})
	}
	for i := range r.channels {
		r.byName[r.channels[i].Name] = &r.channels[i]
	}
	r.readLosses(lossID)
	return r, nil
}

// plainType returns the type of a channel's messages, if they are plain data.
func plainType(m *mcap.Reader, c *mcap.Channel) (*schema.Type, error) {
	s := m.Schema(c.SchemaID)
	switch {
	case s == nil:
		return nil, fmt.Errorf("record: channel %s has no schema", c.Topic)
	case c.Encoding != messageEncoding || s.Encoding != schemaEncoding:
		return nil, fmt.Errorf("record: channel %s has messages in %q described in %q: only %q in %q can be read", c.Topic, c.Encoding, s.Encoding, messageEncoding, schemaEncoding)
	}
	return schema.Parse(s.Name, string(s.Data))
}

// readLosses reads the losses from the metadata or, since a log that was cut off has none, from the channel of
// losses.
func (r *Reader) readLosses(lossID uint16) {
	for _, m := range r.mcap.Metadata() {
		if m.Name != lossMetadata {
			continue
		}
		for name, n := range m.Values {
			if c, ok := r.byName[name]; ok {
				lost, _ := strconv.ParseUint(n, 10, 64)
				c.Lost = max(c.Lost, lost)
			}
		}
		return
	}
	if lossID == 0 {
		return
	}
	byID := map[ID]*Channel{}
	for i := range r.channels {
		byID[r.channels[i].ID] = &r.channels[i]
	}
	loss, err := schema.For[Loss]()
	if err != nil {
		panic(err)
	}
	for m, err := range r.mcap.Messages(mcap.Filter{Channels: []uint16{lossID}}) {
		if err != nil {
			continue // Samples will report it
		}
		v, err := loss.Value(m.Data)
		if err != nil {
			continue
		}
		id, lost := v.(schema.Members).Get("channel").(uint64), v.(schema.Members).Get("lost").(uint64)
		if c, ok := byID[ID(id)]; ok {
			c.Lost = max(c.Lost, lost)
		}
	}
}

// Close closes the log.
func (r *Reader) Close() error {
	r.mcap.Close()
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// Path returns the path of the opened file.
func (r *Reader) Path() string { return r.path }

// Channels returns the channels of the log in the order in which they were added. Do not modify them.
func (r *Reader) Channels() []Channel { return r.channels }

// Channel returns the channel with a name.
func (r *Reader) Channel(name string) (Channel, bool) {
	if c, ok := r.byName[name]; ok {
		return *c, true
	}
	return Channel{}, false
}

// Span returns the log times of the first and the last sample, in ns.
func (r *Reader) Span() (first, last int64) {
	s := r.mcap.Statistics()
	return int64(s.Start), int64(s.End)
}

// Damage describes what is missing from the log, if it is not complete.
func (r *Reader) Damage() []error { return r.mcap.Damage() }

// Attachment returns the file called name within the log. It fails if there is none of that name, and lists those there are.
func (r *Reader) Attachment(name string) ([]byte, error) {
	for i, n := range r.mcap.Attachments() {
		if n == name {
			a, err := r.mcap.Attachment(i)
			if err != nil {
				return nil, fmt.Errorf("record: log %s: %w", r.path, err)
			}
			return a.Data, nil
		}
	}
	return nil, fmt.Errorf("record: log %s has no attachment %q, only %q", r.path, name, r.mcap.Attachments())
}

// Samples iterates over the selected samples in the order of their log times. A damaged part yields an error; the
// samples after it follow. A filter that names an unknown channel yields an error.
func (r *Reader) Samples(selected Filter) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		f := mcap.Filter{Channels: []uint16{}, From: uint64(max(selected.From, 0)), To: uint64(max(selected.To, 0))}
		if selected.Channels == nil { // all except the channel of losses
			for i := range r.channels {
				f.Channels = append(f.Channels, uint16(r.channels[i].ID))
			}
		}
		for _, name := range selected.Channels {
			c, ok := r.byName[name]
			if !ok {
				if !yield(Sample{}, fmt.Errorf("record: log %s has no channel %s", r.path, name)) {
					return
				}
				continue
			}
			f.Channels = append(f.Channels, uint16(c.ID))
		}
		for m, err := range r.mcap.Messages(f) {
			if err != nil {
				err = fmt.Errorf("record: log %s: %w", r.path, err)
			}
			s := Sample{ID(m.ChannelID), int64(m.LogTime), int64(m.PublishTime), m.Sequence, m.Data}
			if !yield(s, err) {
				return
			}
		}
	}
}
