package nats

import "testing"

// FuzzAddressFile takes any text as the address file of a hub: it is refused, or names the system's own socket, a token and a
// process.
func FuzzAddressFile(f *testing.F) {
	const socket = "/run/user/1/sinew/s.sock"
	for _, text := range []string{"", "null", "{}", "[]", `{"socket":"/run/user/1/sinew/s.sock","token":"x","pid":1}`, `{"socket":"@s.sock","token":"x","pid":1}`,
		`{"socket":"/run/user/1/sinew/../../2/s.sock","token":"x","pid":1}`, `{"socket":"/run/user/1/sinew/s.sock","token":"","pid":-1}`, `{"pid":1e99}`, `{"token":7}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := parseAddressFile(text, socket)
		if err != nil {
			if a != (AddressFile{}) || err.Error() == "" {
				t.Errorf("%+v with the error %v", a, err)
			}
			return
		}
		if a.Socket != socket || a.Token == "" || a.PID <= 0 {
			t.Errorf("accepted: %+v", a)
		}
	})
}
