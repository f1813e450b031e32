package record

import (
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/net/schema"
)

// ID is the number of a channel in a Sink or Reader.
type ID uint16

// Sample is one value on a channel.
type Sample struct {
	Channel     ID     // as AddChannel returned it
	LogTime     int64  // when it was recorded, ns, ≥ 0
	PublishTime int64  // when it was published, ns, ≥ 0
	Sequence    uint32 // counts the values of the port
	CDR         []byte // in a Sink's Write valid during the call; from a Reader without limit
}

// Sink takes samples: a Writer or a CSV. It is safe for concurrent use.
type Sink interface {
	// AddChannel adds a channel for values of the layout. Its name must be new in the sink.
	AddChannel(name string, l *schema.Layout) (ID, error)
	// Write adds a sample. After a failure it returns the same error every time and counts the sample as lost. It
	// panics if AddChannel did not return s.Channel.
	Write(s Sample) error
	// Lost counts n samples of a channel that the caller lost before Write.
	Lost(channel ID, n uint64)
	// Close writes the remaining samples and ends the log. It returns the failure, if there was one.
	Close() error
}

// Filter selects samples of a log. Its zero value selects all.
type Filter struct {
	Channels []string // nil: all
	From, To int64    // log times, From ≤ t < To in ns; To 0: to the end
}

// Copy writes the selected samples of a log, and the losses of their channels, to a sink: a part of a log to a new
// log, or a log to CSV. It does not close the sink. Channels without samples or without plain data are omitted.
func Copy(to Sink, from *Reader, selected Filter) error {
	ids := map[ID]ID{}
	for _, c := range from.Channels() {
		if selected.Channels != nil && !slices.Contains(selected.Channels, c.Name) || c.Type == nil || c.Samples == 0 {
			continue
		}
		l, err := from.layout(c)
		if err != nil {
			return err
		}
		id, err := to.AddChannel(c.Name, l)
		if err != nil {
			return err
		}
		ids[c.ID] = id
		if c.Lost > 0 {
			to.Lost(id, c.Lost)
		}
	}
	for s, err := range from.Samples(selected) {
		if err != nil {
			return fmt.Errorf("record: copying %s: %w", from.path, err)
		}
		id, ok := ids[s.Channel]
		if !ok {
			continue
		}
		s.Channel = id
		if err := to.Write(s); err != nil {
			return err
		}
	}
	return nil
}
