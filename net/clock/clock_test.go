package clock

import (
	"testing"
	"time"
)

func TestTimeCountsFromTheStart(t *testing.T) {
	at := At(1250 * time.Millisecond)
	if at.Seconds() != 1.25 || at.String() != "1.25s" {
		t.Errorf("1.25 s is %v, %v", at.Seconds(), at)
	}
	if got := at.Add(time.Second).Sub(at); got != time.Second {
		t.Errorf("a second later is %v later", got)
	}
	if dt := (Tick{Dt: 10 * time.Millisecond}).Seconds(); dt != 0.01 {
		t.Errorf("a step of 10 ms is %v s", dt)
	}
}

func TestClocksReturnTheirTime(t *testing.T) {
	var v Virtual
	v.Set(At(time.Second))
	if v.Now() != At(time.Second) {
		t.Errorf("virtual time is %v, want the time that was set", v.Now())
	}
	var r Real
	if r.Now() != 0 {
		t.Error("a clock that was not started does not read 0")
	}
	r.Start()
	before := r.Now()
	if after := r.Now(); before < 0 || after < before {
		t.Errorf("real time goes from %v to %v", before, after)
	}
}
