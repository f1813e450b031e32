package run

import (
	"bytes"
	"fmt"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/persist"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/schema"
	"github.com/sinew-robotics/sinew/net/thread"
)

// KeepPeriod is how often a front writes the values that outlive the run, where they have changed: a power failure loses at most what
// happened since, and the time of a write.
const KeepPeriod = time.Second

// keeper writes the values that outlive the run. nil keeps nothing.
type keeper struct {
	r       *Running
	values  *persist.Values
	lock    *persist.Lock
	recover func()            // ends the warning that the last write failed; nil: it did not
	odd     map[string]string // values that cannot be kept, and why, which was reported
	stop    chan struct{}
	stopped sync.WaitGroup
}

// openKeeper prepares to keep the values of a net that restores them. Virtual time keeps nothing: its runs depend on files only.
func (r *Running) openKeeper() (err error) {
	k := r.sys.Net.Kept
	if k == nil || r.options.Virtual || !r.persists() {
		return r.mentionUnused()
	}
	o := &keeper{r: r, odd: map[string]string{}, stop: make(chan struct{})}
	if o.lock, err = persist.Take(r.Name); err != nil {
		return err
	}
	now, err := persist.Read(r.Name)
	if err == nil && now != nil && !now.Written.Equal(k.Written) {
		err = fmt.Errorf("the values kept of %q were written again while the system was loaded: start it again", r.Name)
	}
	if err != nil {
		o.lock.Release()
		return err
	}
	o.values = &persist.Values{System: r.Name, File: k.File, Blocks: map[string]map[string]port.Kept{}}
	if now != nil { // what belongs to no block stays until it is forgotten
		o.values.Blocks = now.Blocks
	}
	r.keeper = o
	return nil
}

// mentionUnused prints that a run in virtual time does not use what was kept.
func (r *Running) mentionUnused() error {
	if !r.options.Virtual || !r.persists() {
		return nil
	}
	v, err := persist.Read(r.Name)
	if err == nil && v != nil {
		fmt.Fprintln(r.options.output(), "sinew: notice: virtual time begins with the values of the files: those kept from runs in real time are not used")
	}
	return nil // a damaged file does not matter to this run
}

// persists reports whether a block has values that outlive the run.
func (r *Running) persists() bool {
	for _, b := range r.sys.Net.Blocks {
		if len(b.Persistent) > 0 {
			return true
		}
	}
	return false
}

// begin writes in a goroutine of its own until close.
func (k *keeper) begin() {
	if k == nil {
		return
	}
	k.stopped.Go(func() {
		ticker := time.NewTicker(KeepPeriod)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				k.write()
			case <-k.stop:
				return
			}
		}
	})
}

// close writes the last values and gives the file free. The error is that they could not be written: the file has those of an earlier write.
func (k *keeper) close() error {
	if k == nil {
		return nil
	}
	close(k.stop)
	k.stopped.Wait()
	failed := k.recover != nil
	err := k.write()
	if failed && err == nil { // the front has ended, and no longer reports the end of a warning
		fmt.Fprintln(k.r.lines, "sinew:", keptAgain)
	}
	k.release()
	return err
}

// release gives the file free without writing it.
func (k *keeper) release() {
	if k != nil {
		k.lock.Release()
	}
}

// keptAgain is what ends the warning that values cannot be written.
const keptAgain = "values that outlive the run are written again"

// write writes the values if they have changed, or could not be written before. An error is a warning until a write succeeds; meanwhile
// the file has the values of the last write.
func (k *keeper) write() error {
	list, changed := k.r.Front.Kept()
	if changed = k.update(list, changed); !changed && k.recover == nil {
		return nil
	}
	before := k.values.Written
	k.values.Written = time.Now()
	err := k.values.Write()
	if err == nil {
		if k.recover != nil {
			k.recover()
			k.recover = nil
		}
		return nil
	}
	k.values.Written = before
	err = fmt.Errorf("keep values that outlive the run: %w; the file stays as it was, and is written when there is room", err)
	if k.recover == nil {
		k.recover = k.r.Front.Warn(err.Error(), keptAgain)
	}
	return err
}

// update takes values over, and reports whether one differs.
func (k *keeper) update(list []thread.KeptValue, fresh bool) (differs bool) {
	if !fresh {
		return false
	}
	for _, v := range list {
		if v.CDR == nil {
			continue
		}
		ref := v.Block.Name + "." + v.Of.Name
		now, why := readable(v)
		if why != nil {
			if k.odd[ref] != why.Error() {
				k.odd[ref] = why.Error()
				fmt.Fprintf(k.r.lines, "sinew: %s cannot be kept, and its value from before stays: %v\n", ref, why)
			}
			continue
		}
		delete(k.odd, ref)
		values := k.values.Blocks[v.Block.Name]
		if values == nil {
			values = map[string]port.Kept{}
			k.values.Blocks[v.Block.Name] = values
		}
		if before, ok := values[v.Of.Name]; ok && before.Type == now.Type {
			if cdr, err := v.Of.Layout.FromValue(before.Value); err == nil && bytes.Equal(cdr, v.CDR) {
				continue
			}
		}
		values[v.Of.Name], differs = now, true
	}
	return differs
}

// readable returns a value as files hold it; an error where it could not be restored.
func readable(v thread.KeptValue) (port.Kept, error) {
	if err := v.Of.Check(v.CDR); err != nil {
		return port.Kept{}, err
	}
	value, err := v.Of.Type.Value(v.CDR)
	return port.Kept{Type: v.Of.Type.Short(), Value: byName(value)}, err
}

// byName makes the members of structs those of a map.
func byName(v any) any {
	switch x := v.(type) {
	case schema.Members:
		m := map[string]any{}
		for _, e := range x {
			m[e.Name] = byName(e.Value)
		}
		return m
	case []any:
		for i := range x {
			x[i] = byName(x[i])
		}
	}
	return v
}
