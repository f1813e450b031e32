package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"sync"

	"github.com/sinew-robotics/sinew/net/schema"
)

// CSV is a Sink that writes a table: a column for the log time in seconds, one
// for each number of each channel, and one that counts the samples lost since
// the row before. Samples of one log time that follow each other share a row;
// what has no sample at that time is empty. The first sample fixes the columns.
//
//	time,joint1.position,pid1.gains[0],pid1.gains[1],lost
//	0.010000000,0.25,12,0.5,0
//	0.020000000,0.26,,,0
type CSV struct {
	mu       sync.Mutex
	name     string
	out      *bufio.Writer
	file     io.Closer // nil if the caller owns it
	channels []csvChannel
	columns  int
	started  bool
	row      row
	flushed  int64 // log time of the latest flush
	err      error
}

type csvChannel struct {
	name   string
	layout *schema.Layout
	leaves []schema.Leaf
	column int // of the first leaf
	lost   uint64
}

// row is the one that is being filled.
type row struct {
	time  int64
	cells []float64
	set   []bool
	any   bool
	lost  uint64
	text  []byte
}

// CreateCSV begins a table in a file; one that is there is overwritten.
func CreateCSV(path string) (*CSV, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, failed("creating table", path, err)
	}
	c := NewCSV(f)
	c.name, c.file = path, f
	return c, nil
}

// NewCSV begins a table on w, which Close does not close.
func NewCSV(w io.Writer) *CSV { return &CSV{name: "CSV", out: bufio.NewWriterSize(w, 64<<10)} }

// AddChannel adds columns. It must come before the first sample.
func (c *CSV) AddChannel(name string, l *schema.Layout) (ID, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return 0, c.err
	}
	if c.started {
		return 0, fmt.Errorf("record: adding channel %s to %s: a table has its columns before its first sample", name, c.name)
	}
	if slices.ContainsFunc(c.channels, func(k csvChannel) bool { return k.name == name }) {
		return 0, fmt.Errorf("record: adding channel %s to %s: it is there already", name, c.name)
	}
	if len(c.channels) >= maxChannels {
		return 0, fmt.Errorf("record: adding channel %s to %s: a table holds at most %d", name, c.name, maxChannels)
	}
	k := csvChannel{name: name, layout: l, leaves: l.Leaves(), column: c.columns}
	c.channels = append(c.channels, k)
	c.columns += len(k.leaves)
	return ID(len(c.channels)), nil
}

var errCSVSize = errors.New("record: a sample does not have the size of its channel's layout")

// Write takes a sample. One of another size than its layout's is an error and counted as lost.
func (c *CSV) Write(s Sample) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.channel(s.Channel)
	if err := c.acceptable(k, s); err != nil {
		k.lost++
		c.row.lost++
		return err
	}
	c.start()
	if c.row.any && (c.row.time != s.LogTime || len(k.leaves) > 0 && c.row.set[k.column]) {
		c.endRow()
	}
	c.row.time, c.row.any = s.LogTime, true
	for i, leaf := range k.leaves {
		c.row.cells[k.column+i] = leaf.Float(s.CDR)
		c.row.set[k.column+i] = true
	}
	return c.err
}

func (c *CSV) acceptable(k *csvChannel, s Sample) error {
	switch {
	case c.err != nil:
		return c.err
	case s.LogTime < 0 || s.PublishTime < 0:
		return errTime
	}
	if err := k.layout.Check(s.CDR); err != nil {
		return errCSVSize
	}
	return nil
}

// Lost counts n samples that were lost before Write, in the row that is being filled.
func (c *CSV) Lost(channel ID, n uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.channel(channel).lost += n
	c.row.lost += n
}

// Close writes the last row. If something failed, it returns that error.
func (c *CSV) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == errClosed {
		return nil
	}
	if c.err == nil {
		c.start()
		if c.row.any || c.row.lost > 0 {
			c.endRow()
		}
		c.flush()
	}
	if c.file != nil {
		if err := c.file.Close(); err != nil {
			c.fail(err)
		}
		c.file = nil
	}
	if c.err != nil {
		lost := uint64(0)
		for i := range c.channels {
			lost += c.channels[i].lost
		}
		return fmt.Errorf("%w; %d samples are lost in all", c.err, lost)
	}
	c.err = errClosed
	return nil
}

func (c *CSV) channel(id ID) *csvChannel {
	if id == 0 || int(id) > len(c.channels) {
		panic(fmt.Sprintf("record: table %s has no channel %d: AddChannel returns the numbers", c.name, id))
	}
	return &c.channels[id-1]
}

// start writes the names of the columns, once.
func (c *CSV) start() {
	if c.started {
		return
	}
	c.started = true
	c.row.cells, c.row.set = make([]float64, c.columns), make([]bool, c.columns)
	text := []byte("time,")
	for i := range c.channels {
		k := &c.channels[i]
		for _, leaf := range k.leaves {
			text = append(append(text, signalName(k.name, k.layout.Type(), leaf)...), ',')
		}
	}
	c.write(append(text, "lost\n"...))
}

// endRow writes the row and begins an empty one.
func (c *CSV) endRow() {
	r := &c.row
	b := strconv.AppendInt(r.text[:0], r.time/1e9, 10)
	b = append(b, '.')
	var digits [10]byte // the 1 before the nine digits keeps their zeros
	b = append(append(b, strconv.AppendInt(digits[:0], 1e9+r.time%1e9, 10)[1:]...), ',')
	for i, v := range r.cells {
		if r.set[i] {
			b = appendNumber(b, v)
		}
		b = append(b, ',')
	}
	b = append(strconv.AppendUint(b, r.lost, 10), '\n')
	c.write(b)
	r.text, r.any, r.lost = b, false, 0
	clear(r.set)
	if r.time-c.flushed >= int64(FlushInterval) || r.time < c.flushed {
		c.flush()
		c.flushed = r.time
	}
}

// appendNumber writes whole numbers as such, others with as many digits as tell them from their neighbours.
func appendNumber(b []byte, v float64) []byte {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendFloat(b, v, 'f', 0, 64)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

func (c *CSV) write(b []byte) {
	if _, err := c.out.Write(b); err != nil {
		c.fail(err)
	}
}

func (c *CSV) flush() {
	if err := c.out.Flush(); err != nil {
		c.fail(err)
	}
}

func (c *CSV) fail(cause error) {
	if c.err == nil {
		c.err = failed("writing table", c.name, cause)
	}
}
