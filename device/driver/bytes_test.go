package driver_test

import (
	"errors"
	"testing"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// narrow is a channel that takes and gives a few bytes at once, and then none, or fails.
type narrow struct {
	wire.Wire
	takes, gives []int // of each call, until the end
	err          error // of the call after the last
	sent         string
}

func (n *narrow) next(counts *[]int, length int) (int, error) {
	if len(*counts) == 0 {
		return 0, n.err
	}
	count := min((*counts)[0], length)
	*counts = (*counts)[1:]
	return count, nil
}

func (n *narrow) Write(p []byte) (int, error) {
	count, err := n.next(&n.takes, len(p))
	n.sent += string(p[:count])
	return count, err
}

func (n *narrow) Read(p []byte) (int, error) {
	count, err := n.next(&n.gives, len(p))
	for i := range count {
		p[i] = 'x'
	}
	return count, err
}

func TestSendKeepsWhatTheChannelDoesNotTake(t *testing.T) {
	lost := errors.New("lost")
	for _, c := range []struct {
		takes      []int
		err        error
		sent, rest string
		want       error
	}{
		{[]int{9}, nil, "abcdef", "", nil},
		{[]int{2, 3}, nil, "abcde", "f", nil},
		{[]int{2, 3}, lost, "abcde", "f", lost},
		{[]int{2, 4}, lost, "abcdef", "", nil},
	} {
		w := &narrow{takes: c.takes, err: c.err}
		out := append(make([]byte, 0, 8), "abcdef"...)
		rest, err := driver.Send(w, out)
		if w.sent != c.sent || string(rest) != c.rest || err != c.want || cap(rest) != cap(out) {
			t.Errorf("takes %v: sent %q, %q is left (capacity %d), %v", c.takes, w.sent, rest, cap(rest), err)
		}
	}
}

func TestReceiveFillsToTheCapacity(t *testing.T) {
	lost := errors.New("lost")
	for _, c := range []struct {
		gives []int
		err   error
		in    string
		want  error
	}{
		{nil, nil, "a", nil},
		{[]int{2, 3}, nil, "axxxxx", nil},
		{[]int{2, 3}, lost, "axxxxx", lost},
		{[]int{2, 9}, lost, "axxxxxxx", nil},
	} {
		in, err := driver.Receive(&narrow{gives: c.gives, err: c.err}, append(make([]byte, 0, 8), 'a'))
		if string(in) != c.in || err != c.want {
			t.Errorf("gives %v: %q, %v", c.gives, in, err)
		}
	}
}
