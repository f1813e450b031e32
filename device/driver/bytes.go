package driver

import "github.com/sinew-robotics/sinew/device/wire"

// Send writes out to a channel of bytes and returns the part that the channel does not take now, moved to the beginning of out. If a write fails, it returns
// that part with the channel's error.
func Send(w wire.Wire, out []byte) (rest []byte, err error) {
	for len(out) > 0 {
		n, err := w.Write(out)
		if err != nil || n == 0 {
			return out, err
		}
		out = out[:copy(out, out[n:])]
	}
	return out, nil
}

// Receive appends to in what has arrived on a channel of bytes, until nothing is left or in has reached its capacity. If a read fails, it returns what was
// received before with the channel's error.
func Receive(w wire.Wire, in []byte) ([]byte, error) {
	for len(in) < cap(in) {
		n, err := w.Read(in[len(in):cap(in)])
		if err != nil || n == 0 {
			return in, err
		}
		in = in[:len(in)+n]
	}
	return in, nil
}
