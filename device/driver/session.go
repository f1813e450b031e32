package driver

import (
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/wire"
)

// The pauses after which a faulty device is tried again.
const (
	firstPause = 50 * time.Millisecond
	maxPause   = 200 * time.Millisecond
)

// Progress is what a [Conversation] has achieved in a step.
type Progress uint8

// The kinds of progress.
const (
	Nothing  Progress = iota // nothing has come
	Damaged                  // something has come that is not understood; the error describes it
	Answered                 // the device has answered, but not all readings are there
	Complete                 // all readings are new
)

// Conversation is the protocol of a driver. Its methods allocate nothing and do not wait.
type Conversation interface {
	// Reset returns to the beginning: all readings are invalid and all commands are safe.
	Reset()

	// Exchange sends and receives what the channel takes and has. dt is the time since the previous Exchange. An error beside [Damaged] ends the conversation.
	Exchange(dt time.Duration) (Progress, error)

	// Patience returns how long the device may send nothing that is understood at this stage of the conversation.
	Patience() time.Duration

	// End sends what brings the device into its safe state, as far as the channel takes it.
	End()
}

// Session is the life of a device behind a channel. It implements [device.Device]; a driver embeds it. See [NewSession].
type Session struct {
	life  device.Life
	wire  wire.Wire
	talk  Conversation
	used  bool // the conversation has begun since the channel was opened
	pause time.Duration
	retry time.Duration // the next pause

	silent     time.Duration // since something was understood
	connecting device.Fault
	fault      device.Fault
	silence    SilenceError // as it grows
	reported   SilenceError // of the fault
}

var _ device.Device = (*Session)(nil)

// SilenceError is why a device is faulty that sends nothing that is understood.
type SilenceError struct {
	For  time.Duration
	Last error // what was wrong with what has come; nil if nothing has
}

// Error implements error.
func (s *SilenceError) Error() string {
	if s.Last == nil {
		return fmt.Sprintf("no answer for %v", s.For)
	}
	return fmt.Sprintf("no valid answer for %v: %v", s.For, s.Last)
}

// Unwrap returns what was wrong with what has come.
func (s *SilenceError) Unwrap() error { return s.Last }

// NewSession returns the life of a device with a name, closed.
func NewSession(name string, w wire.Wire, c Conversation) Session {
	fault := device.Fault{Device: name, Port: w.String(), Why: device.ErrConnecting}
	return Session{wire: w, talk: c, connecting: fault, fault: fault}
}

// State returns where the device is in its life.
func (s *Session) State() device.State { return s.life.State() }

// Open begins to open the channel. If that fails, the first Step reports it.
func (s *Session) Open() error {
	if s.life.State() == device.Closed {
		s.connect()
	}
	return s.life.Do(device.OpenCalled)
}

// Start begins the conversation.
func (s *Session) Start() error {
	if s.life.State() == device.Opened {
		if s.used {
			s.connect()
		}
		s.used, s.pause, s.retry = true, 0, firstPause
	}
	return s.life.Do(device.StartCalled)
}

// connect begins to open the channel; its calls report what fails.
func (s *Session) connect() {
	_ = s.wire.Open()
	s.talk.Reset()
	s.used, s.silent, s.silence.Last = false, 0, nil
}

// Step continues the conversation. It allocates nothing and does not wait.
func (s *Session) Step(dt time.Duration) error {
	if err := s.life.CheckStep(dt); err != nil {
		return err
	}
	if s.pause > 0 {
		if s.pause -= dt; s.pause > 0 {
			return &s.fault
		}
		s.connect()
	}
	progress, err := s.talk.Exchange(dt)
	switch {
	case progress == Complete:
		s.silent, s.silence.Last, s.retry = 0, nil, firstPause
		return s.life.Do(device.StepComplete)
	case progress == Damaged:
		s.silence.Last = err
		s.silent += dt
	case err != nil && !opening(err):
		return s.fail(err)
	case progress == Answered:
		s.silent, s.silence.Last = 0, nil
	default:
		s.silent += dt
	}
	if s.silence.For = s.talk.Patience(); s.silent > s.silence.For {
		s.reported = s.silence
		return s.fail(&s.reported)
	}
	_ = s.life.Do(device.StepWaited)
	switch s.life.State() {
	case device.Connecting:
		return &s.connecting
	case device.Faulty:
		return &s.fault
	}
	return nil
}

// opening reports whether a channel is only not open yet.
func opening(err error) bool {
	f, ok := err.(*wire.Fault)
	return ok && f.Kind == wire.ErrOpening
}

// fail makes the device faulty, and returns why.
func (s *Session) fail(err error) error {
	s.talk.End()
	_ = s.wire.Close()
	s.talk.Reset()
	s.fault.Why = err
	s.pause, s.retry = s.retry, min(2*s.retry, maxPause)
	_ = s.life.Do(device.StepFailed)
	return &s.fault
}

// Stop brings the device into its safe state.
func (s *Session) Stop() error {
	if s.life.Started() {
		s.talk.End()
		s.talk.Reset()
	}
	return s.life.Do(device.StopCalled)
}

// Close stops the device and closes the channel.
func (s *Session) Close() error {
	_ = s.Stop()
	_ = s.life.Do(device.CloseCalled)
	return s.wire.Close()
}
