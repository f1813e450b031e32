package nats

import "testing"

func FuzzUnpack(f *testing.F) {
	f.Add(pack([]byte(`{"system":"x"}`)))
	f.Add([]byte{0x1f, 0x8b})
	f.Fuzz(func(t *testing.T, data []byte) {
		if plain, err := unpack(data); err == nil && len(plain) > MaxAnswerBytes {
			t.Errorf("%d bytes", len(plain))
		}
	})
}
