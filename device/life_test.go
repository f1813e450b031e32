package device

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// TestLifeCycleHasAnAnswerToEveryEvent compares the table with the rules of [Device], stated one by one.
func TestLifeCycleHasAnAnswerToEveryEvent(t *testing.T) {
	for s := Closed; s < states; s++ {
		for e := OpenCalled; e < events; e++ {
			l := Life{s}
			err := l.Do(e)
			want, wantErr := s, error(nil)
			started := s >= Connecting
			switch {
			case e == CloseCalled:
				want = Closed
			case e == OpenCalled && s == Closed, e == StopCalled && started:
				want = Opened
			case e == StartCalled && s == Closed:
				wantErr = ErrNotOpen
			case e == StartCalled && s == Opened:
				want = Connecting
			case e >= StepComplete && !started:
				wantErr = ErrNotStarted
			case e == StepComplete:
				want = Running
			case e == StepFailed:
				want = Faulty
			}
			if l.State() != want || err != wantErr {
				t.Errorf("%v, event %d: %v, %v; expected %v, %v", s, e, l.State(), err, want, wantErr)
			}
			if err := l.CheckStep(0); (err == nil) != l.Started() {
				t.Errorf("%v: CheckStep returns %v", l.State(), err)
			}
		}
	}
}

func TestStepWithNegativeTimePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	_ = (&Life{Running}).CheckStep(-time.Nanosecond)
}

func TestFaultNamesDeviceAndPortOnce(t *testing.T) {
	lost := errors.New("lost")
	for _, why := range []error{lost, fmt.Errorf("tcp://1.2.3.4:5: %w", lost)} {
		f := &Fault{Device: "scanner", Port: "tcp://1.2.3.4:5", Why: why}
		if got := f.Error(); got != "scanner at tcp://1.2.3.4:5: lost" || !errors.Is(f, lost) {
			t.Error(got)
		}
	}
}
