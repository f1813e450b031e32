package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sinew-robotics/sinew/net/schema"
)

// CSV is a Sink that writes a table: a column for the log time in seconds, one for each number of each channel, and
// one that counts the samples lost since the previous row. Consecutive samples with the same log time share a row; a
// channel without a sample at that time, or an element that a list does not have, has empty cells. The first sample fixes the columns.
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
	flushed  int64 // log time of the last flush
	err      error
}

// maxElements is the most elements of a list whose values have lengths of their own in a table.
const maxElements = 1024

// The names of the first and the last column.
const (
	csvFirst = "time"
	csvLast  = "lost"
)

type csvChannel struct {
	name   string
	layout *schema.Layout
	leaves []schema.Leaf
	column int // of the first leaf
	lost   uint64
}

// row is the row being filled.
type row struct {
	time  int64
	cells []float64
	set   []bool
	any   bool
	lost  uint64
	text  []byte
}

// IsTable reports whether a log at a path is a table, a file that ends in .csv, instead of an MCAP file.
func IsTable(path string) bool { return strings.EqualFold(filepath.Ext(path), ".csv") }

// CheckPath returns an error unless a log can be written in the format that the name of its file asks for: .mcap or .csv.
func CheckPath(path string) error {
	ext := filepath.Ext(path)
	if IsTable(path) || strings.EqualFold(ext, ".mcap") {
		return nil
	}
	return fmt.Errorf("a log is written as .mcap, or as a table as .csv, not as %q: write %s", ext, strings.TrimSuffix(path, ext)+".mcap")
}

// CreateCSV creates a table in a new file. If the file exists it fails with [fs.ErrExist]; see [SetAside].
func CreateCSV(path string) (*CSV, error) {
	f, err := createNew(path)
	if err != nil {
		return nil, failed("creating table", path, err)
	}
	c := NewCSV(f)
	c.name, c.file = path, f
	return c, nil
}

// NewCSV writes a table to w, which Close does not close.
func NewCSV(w io.Writer) *CSV { return &CSV{name: "CSV", out: bufio.NewWriterSize(w, 64<<10)} }

// AddChannel adds the columns of a channel. It fails after the first sample, and for a name that exists.
func (c *CSV) AddChannel(name string, l *schema.Layout) (ID, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return 0, c.err
	}
	if c.started {
		return 0, fmt.Errorf("record: adding channel %s to %s: add all channels before the first sample", name, c.name)
	}
	if slices.ContainsFunc(c.channels, func(k csvChannel) bool { return k.name == name }) {
		return 0, fmt.Errorf("record: adding channel %s to %s: it exists already", name, c.name)
	}
	if len(c.channels) >= maxChannels {
		return 0, fmt.Errorf("record: adding channel %s to %s: a table has at most %d channels", name, c.name, maxChannels)
	}
	if l.Bounded() && l.Type().Most() > maxElements {
		return 0, fmt.Errorf("record: adding channel %s to %s: its values have up to %d elements, of which a table has at most %d: record it into a log that ends in .mcap",
			name, c.name, l.Type().Most(), maxElements)
	}
	k := csvChannel{name: name, layout: l, leaves: l.Leaves(), column: c.columns}
	c.channels = append(c.channels, k)
	c.columns += len(k.leaves)
	return ID(len(c.channels)), nil
}

var errCSVSize = errors.New("record: a sample does not have the size of its channel's layout")

// Write adds a sample. A sample whose size is not its layout's returns an error and counts as lost.
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
		if leaf.Offset >= len(s.CDR) {
			break // the list has no more elements
		}
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

// Lost counts n samples that were lost before Write, in the current row.
func (c *CSV) Lost(channel ID, n uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.channel(channel).lost += n
	c.row.lost += n
}

// Close writes the last row. It returns the first failure, if any.
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
	text := []byte(csvFirst + ",")
	for i := range c.channels {
		k := &c.channels[i]
		for _, leaf := range k.leaves {
			text = append(append(text, signalName(k.name, k.layout.Type(), leaf)...), ',')
		}
	}
	c.write(append(text, csvLast+"\n"...))
}

// endRow writes the row and starts an empty one.
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
	if r.time-c.flushed >= int64(WriteInterval) || r.time < c.flushed {
		c.flush()
		c.flushed = r.time
	}
}

// appendNumber writes whole numbers without a fraction, others with the fewest digits that identify them.
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
