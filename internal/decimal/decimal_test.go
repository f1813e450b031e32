package decimal

import "testing"

func TestOnlyNumbersWithADecimalCommaGetAPoint(t *testing.T) {
	for text, want := range map[string]string{
		"0,5": "0.5", "-1,25": "-1.25", "+3,0": "+3.0", "1,5e-3": "1.5e-3", "0,5ms": "0.5ms", "1,5 rad/s": "1.5 rad/s", "2,5m/s^2": "2.5m/s^2",
		"": "", "5": "", "0.5": "", "0,": "", ",5": "", "0, 5": "", "1,2,3": "", "1.5,2": "", "1,5.2": "", "a,5": "", "1,b": "", "1,5-2": "", "[0,5]": "",
	} {
		if got, ok := Point(text); got != want || ok != (want != "") {
			t.Errorf("%q becomes %q, %t: want %q", text, got, ok, want)
		}
	}
	if got := Remedy("0,5"); got != ": write 0.5, with a point in place of the comma" {
		t.Errorf("the remedy is %q", got)
	}
	if got := Remedy("half"); got != "" {
		t.Errorf("the remedy of no number is %q", got)
	}
}
