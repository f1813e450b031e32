// Package background runs a slow sensor in a thread of its own, so that a control cycle never waits for it: [Sensor] hands out the newest reading,
// detects that the sensor has failed or hangs, and initializes it again (FAST-Robots, sections 5 and 6: "an asynchronous interface to synchronous
// sensor systems by implementing a sensor thread"; "it is able to detect erroneous working conditions and to reinitialize the device itself").
//
// In a system file it is simpler to give the block of a slow device a thread of its own. This package is for programs of one's own, and for
// devices inside of others.
//
// # Goroutines
//
// A started Sensor owns one, which Start starts, locked to its thread, and Stop ends. Where a call of the device hangs, it remains until that call returns.
package background

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/device"
)

// Why a Step fails besides errors of the device. A [*device.Fault] wraps them.
var (
	ErrSilent = errors.New("no reading for longer than the patience: a call of the device hangs, or it is slower than expected")
	ErrHangs  = errors.New("a call of the device hangs; the device can be used again when that returns")
)

// Options describe a sensor.
type Options struct {
	Name     string        // for errors
	Period   time.Duration // of the device's steps; 0: as fast as it can, for devices whose Step waits for the next reading
	Patience time.Duration // time without a reading after which Step fails and the device is initialized again; positive
}

// Sensor is a device that runs in a thread of its own, with readings of type T: plain data without pointers and slices. It is itself a
// [device.Device], whose calls except Open, Stop and Close return at once. Make one with New.
type Sensor[T any] struct {
	device  device.Device
	read    func(*T)
	options Options

	open, started bool
	stop          chan struct{} // closed by Stop
	done          chan struct{} // closed by the goroutine
	ending        error         // of the device's Stop; to be read once done is closed
	latest        latest[reading[T]]
	now           reading[T] // taken by the last Step
	age           time.Duration
	fault         device.Fault
}

// reading is what the goroutine hands over.
type reading[T any] struct {
	value T
	count uint64 // of readings without an error
	err   error
}

// New returns a sensor around d. read writes the reading of d after a step of it; it runs in the sensor's thread, as all calls of d do between
// Start and Stop. New panics without a device, a function or a positive patience, for a negative period, and if T contains pointers, slices, maps,
// strings, functions, channels or interfaces.
func New[T any](d device.Device, read func(*T), o Options) *Sensor[T] {
	if d == nil || read == nil || o.Patience <= 0 || o.Period < 0 {
		panic("background: New: expected a device, a function that reads it, a positive patience and a period that is not negative")
	}
	if t := reflect.TypeFor[T](); !plain(t) {
		panic(fmt.Sprintf("background: New: readings of type %v are no plain data", t))
	}
	return &Sensor[T]{device: d, read: read, options: o, fault: device.Fault{Device: o.Name}}
}

func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return plain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !plain(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.String, reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer:
		return false
	}
	return true
}

// Open opens the device. It returns a [*device.Fault] with ErrHangs while a call from before hangs.
func (s *Sensor[T]) Open() error {
	if s.open {
		return nil
	}
	if !s.ended(0) {
		return s.failed(ErrHangs)
	}
	if err := s.device.Open(); err != nil {
		return err
	}
	s.open, s.now, s.age = true, reading[T]{}, 0
	return nil
}

// Start starts the device and its thread.
func (s *Sensor[T]) Start() error {
	switch {
	case s.started:
		return nil
	case !s.open:
		return device.ErrNotOpen
	case !s.ended(0):
		return s.failed(ErrHangs)
	}
	if err := s.device.Start(); err != nil {
		return err
	}
	s.started, s.age, s.now = true, 0, reading[T]{}
	s.latest = latest[reading[T]]{}
	s.latest.init()
	s.stop, s.done = make(chan struct{}), make(chan struct{})
	go s.run(s.stop, s.done)
	return nil
}

// Step takes the newest reading. It never waits and allocates nothing. It returns a [*device.Fault] while the last step of the device failed, and with
// ErrSilent if there is no new reading for longer than the patience, by the sum of dt.
func (s *Sensor[T]) Step(dt time.Duration) error {
	if !s.started {
		return device.ErrNotStarted
	}
	if dt < 0 {
		panic("device: Step with a negative time")
	}
	before := s.now.count
	s.latest.take(&s.now)
	s.age += dt
	if s.now.count != before {
		s.age = 0
	}
	switch {
	case s.now.err != nil:
		return s.failed(s.now.err)
	case s.age > s.options.Patience:
		return s.failed(ErrSilent)
	}
	return nil
}

// Value returns the reading that the last Step took, how long it has been the newest by the sum of dt, and false while there has been none since Start.
func (s *Sensor[T]) Value() (value T, age time.Duration, ok bool) {
	return s.now.value, s.age, s.now.count > 0
}

// Stop ends the thread and stops the device. It waits for the present step of the device for as long as the patience, and returns a [*device.Fault] with
// ErrHangs if that is too short; the thread then stops the device when it can.
func (s *Sensor[T]) Stop() error {
	if !s.started {
		return nil
	}
	s.started = false
	close(s.stop)
	if !s.ended(s.options.Patience) {
		return s.failed(ErrHangs)
	}
	return s.ending
}

// Close stops the device if necessary, and closes it.
func (s *Sensor[T]) Close() error {
	if err := s.Stop(); err != nil {
		s.open = false
		return err
	}
	s.open = false
	if !s.ended(0) {
		return s.failed(ErrHangs)
	}
	return s.device.Close()
}

func (s *Sensor[T]) failed(why error) error {
	s.fault.Why = why
	return &s.fault
}

// ended reports whether no thread runs, or the one that runs ends within the given time.
func (s *Sensor[T]) ended(within time.Duration) bool {
	if s.done == nil {
		return true
	}
	select {
	case <-s.done:
		return true
	default:
	}
	if within == 0 {
		return false
	}
	select {
	case <-s.done:
		return true
	case <-time.After(within):
		return false
	}
}

// run is the sensor's thread.
func (s *Sensor[T]) run(stop, done chan struct{}) {
	runtime.LockOSThread()
	defer close(done)
	timer := time.NewTimer(0)
	<-timer.C
	var newest T
	var count uint64
	var cause error // why the device could not be initialized
	last, good := time.Now(), time.Now()
	patience := s.options.Patience
	for {
		now := time.Now()
		err := s.device.Step(now.Sub(last))
		last = now
		wait := max(s.options.Period-time.Since(now), s.options.Period/4)
		if err == nil {
			count++
			s.read(&newest)
			good, patience, cause = time.Now(), s.options.Patience, nil
		} else {
			if cause != nil && errors.Is(err, device.ErrNotStarted) {
				err = cause
			}
			wait = max(wait, s.options.Patience/16)
		}
		*s.latest.next() = reading[T]{newest, count, err}
		s.latest.publish()
		if err != nil && time.Since(good) > patience {
			cause = s.initialize()
			good, patience = time.Now(), min(2*patience, 16*s.options.Patience)
		}
		timer.Reset(wait)
		select {
		case <-stop:
		case <-timer.C:
		}
		select {
		case <-stop:
			s.ending = s.device.Stop()
			return
		default:
		}
	}
}

// initialize closes the device and starts it again.
func (s *Sensor[T]) initialize() error {
	_ = s.device.Close() // may fail where the hardware is lost
	if err := s.device.Open(); err != nil {
		return err
	}
	return s.device.Start()
}

// latest hands the newest value from one thread to another: three slots, of which each side owns one and an atomic word the third.
type latest[V any] struct {
	slots       [3]V
	shared      atomic.Uint32 // index of the slot that no side owns; bit 2: it is new
	write, have uint32
}

const fresh = 4

func (l *latest[V]) init() {
	l.write, l.have = 0, 2
	l.shared.Store(1)
}

// next returns the slot to fill, for the writer.
func (l *latest[V]) next() *V { return &l.slots[l.write] }

// publish hands it over.
func (l *latest[V]) publish() { l.write = l.shared.Swap(l.write|fresh) &^ fresh }

// take copies the newest value into v, if there is a new one, for the reader.
func (l *latest[V]) take(v *V) {
	if l.shared.Load()&fresh == 0 {
		return
	}
	l.have = l.shared.Swap(l.have) &^ fresh
	*v = l.slots[l.have]
}
