package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/record/mcap"
	"github.com/sinew-robotics/sinew/net/schema"
)

const (
	// FlushInterval bounds what a power cut loses: so often, everything taken is brought to the disk.
	FlushInterval = time.Second

	// wakeSize is how many bytes of samples wake the goroutine before that.
	wakeSize = 256 << 10
	// batchLimit is how many bytes may wait for a slow disk; Write waits for room then.
	batchLimit = 8 << 20
)

// Writer is a Sink that writes a log. It owns one goroutine, which Create starts
// and Close ends; it alone touches the file.
type Writer struct {
	path string
	wake chan struct{}
	stop chan struct{}
	done chan struct{}
	once sync.Once

	mu      sync.Mutex
	room    sync.Cond // the batch has been taken, or err is set
	filling *batch
	names   []string // of the channels; ID is the index + 1
	lost    []uint64 // by channel, since the start
	err     error    // why nothing is taken any more
}

// batch is what waits for the goroutine.
type batch struct {
	channels    []newChannel
	attachments []mcap.Attachment
	samples     []heldSample
	data        []byte // of the samples, one after the other
}

type newChannel struct {
	name string
	typ  *schema.Type
}

type heldSample struct {
	Sample
	size int
}

// file is what a log is written to: an *os.File, or a fake in tests.
type file interface {
	io.WriteSeeker
	io.Closer
	Sync() error
	Truncate(size int64) error
}

// Create begins a log; a file that is there is overwritten. The error says path, cause and remedy.
func Create(path string) (*Writer, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, failed("creating log", path, err)
	}
	w, err := newWriter(path, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return w, nil
}

func newWriter(path string, f file) (*Writer, error) {
	m, err := mcap.NewWriter(f, mcap.Header{Profile: profile, Library: library})
	if err != nil {
		return nil, failed("creating log", path, err)
	}
	w := &Writer{
		path: path, wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}),
		filling: &batch{},
	}
	w.room.L = &w.mu
	loss, err := schema.For[Loss]()
	if err != nil {
		panic(err)
	}
	lossID, _ := w.AddChannel(LossChannel, loss.Layout())
	o := &output{w: w, file: f, mcap: m, spare: &batch{}, loss: loss.Layout(), lossID: lossID}
	go o.run()
	return w, nil
}

// AddChannel adds a channel. It may come at any time, but not twice with one name.
func (w *Writer) AddChannel(name string, l *schema.Layout) (ID, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return 0, w.err
	}
	if slices.Contains(w.names, name) {
		return 0, fmt.Errorf("record: adding channel %s to %s: it is there already", name, w.path)
	}
	if len(w.names) >= maxChannels {
		return 0, fmt.Errorf("record: adding channel %s to %s: a log holds at most %d", name, w.path, maxChannels)
	}
	w.names = append(w.names, name)
	w.lost = append(w.lost, 0)
	w.filling.channels = append(w.filling.channels, newChannel{name, l.Type()})
	return ID(len(w.names)), nil
}

// maxChannels is what the numbers of an MCAP file allow.
const maxChannels = 65535

var errTime = errors.New("record: a sample has a negative time: times count from a start in the past")

// Write takes a sample; it copies the data and does not wait for the disk unless
// many megabytes are waiting already.
func (w *Writer) Write(s Sample) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.err == nil && len(w.filling.data) >= batchLimit {
		w.room.Wait()
	}
	lost := &w.lost[w.index(s.Channel)]
	if w.err != nil {
		*lost++
		return w.err
	}
	if s.LogTime < 0 || s.PublishTime < 0 {
		*lost++
		return errTime
	}
	b := w.filling
	before := len(b.data)
	b.data = append(b.data, s.CDR...)
	size := len(s.CDR)
	s.CDR = nil
	b.samples = append(b.samples, heldSample{s, size})
	if before < wakeSize && len(b.data) >= wakeSize {
		select {
		case w.wake <- struct{}{}:
		default:
		}
	}
	return nil
}

// Lost counts n samples of a channel that were lost before Write.
func (w *Writer) Lost(channel ID, n uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lost[w.index(channel)] += n
}

// Attach puts a file into the log, such as the text of the system file.
func (w *Writer) Attach(name, mediaType string, data []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	w.filling.attachments = append(w.filling.attachments, mcap.Attachment{Name: name, MediaType: mediaType, Data: slices.Clone(data)})
	return nil
}

// Close writes what is left and ends the log. If the log failed before, it
// returns that error with the number of samples that were lost since.
func (w *Writer) Close() error {
	w.once.Do(func() {
		w.refuse(errClosed)
		close(w.stop)
	})
	<-w.done
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == errClosed {
		return nil
	}
	lost := uint64(0)
	for _, n := range w.lost {
		lost += n
	}
	return fmt.Errorf("%w; %d samples are lost in all, the log before is readable", w.err, lost)
}

// refuse makes err the answer to every later call. A failure outlasts the end of the log.
func (w *Writer) refuse(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil || w.err == errClosed {
		w.err = err
	}
	w.room.Broadcast()
}

var errClosed = errors.New("record: the log is closed")

// index of a channel in names and lost.
func (w *Writer) index(id ID) int {
	if id == 0 || int(id) > len(w.names) {
		panic(fmt.Sprintf("record: log %s has no channel %d: AddChannel returns the numbers", w.path, id))
	}
	return int(id) - 1
}
