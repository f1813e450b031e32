package record

import (
	"io"
	"slices"
	"strconv"
	"time"
	"unsafe"

	"github.com/sinew-robotics/sinew/net/record/mcap"
	"github.com/sinew-robotics/sinew/net/schema"
)

// output is the writing end of a Writer: its goroutine and the fields that only it uses.
type output struct {
	w     *Writer
	file  file
	mcap  *mcap.Writer
	spare *batch // the batch that is not being filled
	dirty bool   // the file has bytes that are not synced

	loss    *schema.Layout
	lossID  ID
	logged  []uint64 // losses by channel that are in the log already
	lossSeq uint32
	latest  int64 // log time of the newest sample
	written int64 // log time up to which everything is in the file
}

// run writes batches until Close, or until the disk fails.
func (o *output) run() {
	defer close(o.w.done)
	ticker := time.NewTicker(WriteInterval)
	defer ticker.Stop()
	synced := time.Now()
	var err error
	for stopping := false; !stopping && err == nil; {
		select {
		case <-o.w.wake:
			err = o.writeBatch()
		case now := <-ticker.C:
			if err = o.write(); err == nil && now.Sub(synced) >= FlushInterval {
				err = o.sync()
				synced = now
			}
		case <-o.w.stop:
			stopping = true
			err = o.finish()
		}
	}
	if err != nil {
		o.fail(err)
	}
	if closeErr := o.file.Close(); err == nil && closeErr != nil {
		o.w.refuse(failed("closing log", o.w.path, closeErr))
	}
}

// take swaps the batches and returns the losses so far.
func (o *output) take() (lost []uint64) {
	w := o.w
	w.mu.Lock()
	defer w.mu.Unlock()
	w.filling, o.spare = o.spare, w.filling
	w.room.Broadcast()
	if slices.Equal(w.lost, o.logged) {
		return o.logged
	}
	return slices.Clone(w.lost)
}

// writeBatch moves the samples since the last call to the file.
func (o *output) writeBatch() error {
	lost := o.take()
	b := o.spare
	for _, c := range b.channels {
		s, err := o.mcap.AddSchema(c.typ.Name(), schemaEncoding, []byte(c.typ.Definition()))
		if err != nil {
			return err
		}
		if _, err := o.mcap.AddChannel(s, Topic(c.name), messageEncoding, map[string]string{qosKey: qos}); err != nil {
			return err
		}
	}
	b.channels = b.channels[:0]
	for len(b.attachments) > 0 {
		if err := o.mcap.WriteAttachment(b.attachments[0]); err != nil {
			return err
		}
		o.dirty = true
		b.attachments = b.attachments[1:]
	}
	data := b.data
	for i := range b.samples {
		s := &b.samples[i]
		o.latest = max(o.latest, s.LogTime)
		if err := o.mcap.WriteMessage(message(s.Sample, data[:s.size])); err != nil {
			b.samples = b.samples[i+1:] // the current one is in the chunk that failed
			return err
		}
		if o.mcap.Buffered() == 0 { // the chunk was full
			o.written, o.dirty = o.latest, true
		}
		data = data[s.size:]
	}
	b.samples, b.data = b.samples[:0], b.data[:0]
	return o.writeLosses(lost)
}

func message(s Sample, data []byte) mcap.Message {
	return mcap.Message{
		ChannelID: uint16(s.Channel), Sequence: s.Sequence,
		LogTime: uint64(s.LogTime), PublishTime: uint64(s.PublishTime), Data: data,
	}
}

// writeLosses writes a Loss for each channel that lost samples since the last call.
func (o *output) writeLosses(lost []uint64) error {
	for i, n := range lost {
		if i < len(o.logged) && o.logged[i] == n || n == 0 {
			continue
		}
		cdr := make([]byte, o.loss.Size())
		o.loss.Encode(cdr, unsafe.Pointer(&Loss{Channel: uint16(i + 1), Lost: n}))
		s := Sample{Channel: o.lossID, LogTime: o.latest, PublishTime: o.latest, Sequence: o.lossSeq}
		o.lossSeq++
		if err := o.mcap.WriteMessage(message(s, cdr)); err != nil {
			return err
		}
	}
	o.logged = lost
	return nil
}

// write writes all samples to the file.
func (o *output) write() error {
	if err := o.writeBatch(); err != nil || o.mcap.Buffered() == 0 {
		return err
	}
	if err := o.mcap.Flush(); err != nil {
		return err
	}
	o.written, o.dirty = o.latest, true
	return nil
}

// sync flushes the file to the disk.
func (o *output) sync() error {
	if !o.dirty {
		return nil
	}
	o.dirty = false
	return o.file.Sync()
}

// finish writes the remaining samples, the losses and the index.
func (o *output) finish() error {
	if err := o.writeBatch(); err != nil {
		return err
	}
	if err := o.end(); err != nil {
		return err
	}
	return o.file.Sync()
}

// end writes the losses as metadata, and the index.
func (o *output) end() error {
	losses := mcap.Metadata{Name: lossMetadata, Values: map[string]string{}}
	for i, n := range o.logged {
		if n > 0 {
			losses.Values[o.name(i)] = strconv.FormatUint(n, 10)
		}
	}
	if len(losses.Values) > 0 {
		if err := o.mcap.WriteMetadata(losses); err != nil {
			return err
		}
	}
	return o.mcap.Close()
}

func (o *output) name(i int) string {
	o.w.mu.Lock()
	defer o.w.mu.Unlock()
	return o.w.names[i]
}

// fail ends the log at its last full chunk. It counts what could not be written; truncating the incomplete chunk
// usually makes room for the index.
func (o *output) fail(cause error) {
	w := o.w
	cause = failed("writing log", w.path, cause)
	w.refuse(cause)
	w.mu.Lock()
	report := w.report
	w.mu.Unlock()
	if report != nil {
		report(time.Duration(o.written), cause)
	}
	lost := o.mcap.Recover()
	w.mu.Lock()
	for _, b := range []*batch{o.spare, w.filling} {
		for i := range b.samples {
			lost[uint16(b.samples[i].Channel)]++
		}
		*b = batch{}
	}
	delete(lost, uint16(o.lossID))
	for id, n := range lost {
		w.lost[id-1] += n
	}
	totals := slices.Clone(w.lost)
	w.mu.Unlock()
	if o.cutBack() != nil {
		return
	}
	if o.writeLosses(totals) != nil || o.end() != nil || o.file.Sync() != nil {
		o.cutBack()
	}
}

// cutBack truncates the file to what was written without error.
func (o *output) cutBack() error {
	if err := o.file.Truncate(o.mcap.Offset()); err != nil {
		return err
	}
	_, err := o.file.Seek(o.mcap.Offset(), io.SeekStart)
	return err
}
