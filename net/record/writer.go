package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/record/mcap"
	"github.com/sinew-robotics/sinew/net/schema"
)

const (
	// WriteInterval is the interval at which all samples are written to the file. It bounds the loss when the process
	// dies, as by kill -9.
	WriteInterval = 200 * time.Millisecond
	// FlushInterval is the interval at which the file is flushed to the disk. It bounds the loss in a power cut.
	FlushInterval = time.Second

	// wakeSize is the number of bytes of samples that wakes the goroutine earlier.
	wakeSize = 256 << 10
	// batchLimit is the maximum number of bytes that wait for a slow disk; Write then waits for room.
	batchLimit = 8 << 20
)

// Writer is a Sink that writes a log. It owns one goroutine, which Create starts and Close ends; only this goroutine
// uses the file.
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
	err     error    // why no more samples are accepted
	report  func(complete time.Duration, err error)
}

// batch holds the samples waiting for the goroutine.
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

// file is the output of a log: an *os.File, or a fake in tests.
type file interface {
	io.WriteSeeker
	io.Closer
	Sync() error
	Truncate(size int64) error
}

// Create creates a log in a new file. If the file exists it fails with [fs.ErrExist]; see [SetAside]. The error names path,
// cause and remedy.
func Create(path string) (*Writer, error) { return CreateFor(path, "") }

// CreateFor creates a log of a system as [Create] does. The log names the system: see [SystemOf].
func CreateFor(path, system string) (*Writer, error) {
	f, err := createNew(path)
	if err != nil {
		return nil, failed("creating log", path, err)
	}
	w, err := newWriter(path, system, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return w, nil
}

// createNew creates a file. It neither overwrites a file nor follows a link.
func createNew(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

func newWriter(path, system string, f file) (*Writer, error) {
	m, err := mcap.NewWriter(f, mcap.Header{Profile: profile, Library: library})
	if err != nil {
		return nil, failed("creating log", path, err)
	}
	origin := mcap.Metadata{Name: originMetadata, Values: map[string]string{originFile: filepath.Base(path)}}
	if system != "" {
		origin.Values[originSystem] = system
	}
	if err := m.WriteMetadata(origin); err != nil {
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

// OnFailure sets a function that runs once, on the log's goroutine, when the log can no longer be written, for
// example because the disk is full. The log is complete up to the log time complete. report must not call the log.
func (w *Writer) OnFailure(report func(complete time.Duration, err error)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report = report
}

// AddChannel adds a channel at any time. It fails if the name exists, for more than 65,535 channels, and if the log has failed or is closed.
func (w *Writer) AddChannel(name string, l *schema.Layout) (ID, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return 0, w.err
	}
	if slices.Contains(w.names, name) {
		return 0, fmt.Errorf("record: adding channel %s to %s: it exists already", name, w.path)
	}
	if len(w.names) >= maxChannels {
		return 0, fmt.Errorf("record: adding channel %s to %s: a log has at most %d channels", name, w.path, maxChannels)
	}
	w.names = append(w.names, name)
	w.lost = append(w.lost, 0)
	w.filling.channels = append(w.filling.channels, newChannel{name, l.Type()})
	return ID(len(w.names)), nil
}

// maxChannels is the limit of channel numbers in an MCAP file.
const maxChannels = 65535

var errTime = errors.New("record: a sample has a negative time: times count from a start in the past")

// Write adds a sample. It copies the data and does not wait for the disk unless batchLimit bytes are waiting already.
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

// Attach adds a copy of a file to the log, such as the text of the system file. After a failure it returns the error of the
// log.
func (w *Writer) Attach(name, mediaType string, data []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	w.filling.attachments = append(w.filling.attachments, mcap.Attachment{Name: name, MediaType: mediaType, Data: slices.Clone(data)})
	return nil
}

// Close writes the remaining samples and ends the log. If the log failed before, it returns that error with the
// number of samples lost since.
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

// refuse makes err the result of every later call. A failure is kept after the end of the log.
func (w *Writer) refuse(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil || w.err == errClosed {
		w.err = err
	}
	w.room.Broadcast()
}

var errClosed = errors.New("record: the log is closed")

// index returns the index of a channel in names and lost. It panics for an unknown channel.
func (w *Writer) index(id ID) int {
	if id == 0 || int(id) > len(w.names) {
		panic(fmt.Sprintf("record: log %s has no channel %d: AddChannel returns the numbers", w.path, id))
	}
	return int(id) - 1
}
