package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The limits of the control socket.
const (
	MaxRequestBytes = 1 << 20 // one line
	MaxWaiting      = 256     // samples that wait for a slow client; more are lost, and counted in the next one
	dialTimeout     = time.Second
)

// folder returns where the sockets of this user's systems are.
func folder() string {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		return filepath.Join(dir, "sinew")
	}
	return filepath.Join(os.TempDir(), "sinew-"+strconv.Itoa(os.Getuid()))
}

func socketPath(name string) string { return filepath.Join(folder(), name+".sock") }

// open listens at the socket of a system. A socket that nobody serves any longer is taken over.
func open(name string) (net.Listener, error) {
	if name == "" || strings.ContainsAny(name, `/\`) {
		return nil, fmt.Errorf("system name %q: wants letters, digits, _ and -", name)
	}
	if err := os.MkdirAll(folder(), 0o700); err != nil {
		return nil, fmt.Errorf("open the control socket of %q: %w", name, err)
	}
	if info, err := os.Lstat(folder()); err != nil || !info.IsDir() || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("open the control socket of %q: %s must be a folder that only you may enter: chmod 700 it, or remove it",
			name, folder())
	}
	path := socketPath(name)
	listener, err := net.Listen("unix", path)
	if err == nil {
		return listener, os.Chmod(path, 0o600)
	}
	if client, dialErr := Dial(name); dialErr == nil {
		defer client.Close()
		pid := "in another process"
		ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
		defer cancel()
		if s, err := client.Structure(ctx); err == nil {
			pid = fmt.Sprintf("in process %d", s.PID)
		}
		return nil, fmt.Errorf("a system %q runs already, %s: stop it, or run this one with --name", name, pid)
	}
	if err := os.Remove(path); err != nil {
		return nil, fmt.Errorf("open the control socket of %q: %w", name, err)
	}
	if listener, err = net.Listen("unix", path); err != nil {
		return nil, fmt.Errorf("open the control socket of %q: %w", name, err)
	}
	return listener, os.Chmod(path, 0o600)
}

// List returns the names of this user's running systems, sorted.
func List() []string {
	entries, err := os.ReadDir(folder())
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".sock")
		if !ok {
			continue
		}
		if c, err := net.DialTimeout("unix", socketPath(name), dialTimeout); err == nil {
			c.Close()
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// request is a line from the client.
type request struct {
	ID     uint64         `json:"id"`
	Method string         `json:"method"`
	Ref    string         `json:"ref,omitempty"`
	Value  any            `json:"value,omitempty"`
	Args   []any          `json:"args,omitempty"`
	Named  map[string]any `json:"named,omitempty"`
	Every  int            `json:"every,omitempty"`
	Tap    uint64         `json:"tap,omitempty"` // the request whose tap is to end
}

// response is a line from the server: an answer, or a sample of the tap that request ID began.
type response struct {
	ID     uint64          `json:"id"`
	Error  string          `json:"error,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Sample *Sample         `json:"sample,omitempty"`
	Lost   uint64          `json:"lost,omitempty"` // samples that the client was too slow for
}

// encode makes JSON of a result. NaN and infinities, for which JSON has no numbers, become "NaN", "+Inf" and "-Inf".
func encode(v any) (json.RawMessage, error) {
	b, err := json.Marshal(v)
	var unsupported *json.UnsupportedValueError
	if errors.As(err, &unsupported) {
		return json.Marshal(finite(v))
	}
	return b, err
}

// finite replaces numbers that JSON does not have.
func finite(v any) any {
	switch x := v.(type) {
	case float64:
		switch {
		case math.IsNaN(x):
			return "NaN"
		case math.IsInf(x, 1):
			return "+Inf"
		case math.IsInf(x, -1):
			return "-Inf"
		}
	case []any:
		list := make([]any, len(x))
		for i, e := range x {
			list[i] = finite(e)
		}
		return list
	case map[string]any:
		m := map[string]any{}
		for k, e := range x {
			m[k] = finite(e)
		}
		return m
	case *Structure:
		y := *x
		y.Blocks = slices.Clone(x.Blocks)
		for i := range y.Blocks {
			y.Blocks[i].Params = slices.Clone(x.Blocks[i].Params)
			for j := range y.Blocks[i].Params {
				y.Blocks[i].Params[j].Value = finite(y.Blocks[i].Params[j].Value)
			}
		}
		return &y
	case Reading:
		x.Value = finite(x.Value)
		return x
	case Sample:
		x.Value = finite(x.Value)
		return x
	}
	return v
}

// number turns "NaN", "+Inf" and "-Inf" back into numbers.
func number(v any) any {
	switch x := v.(type) {
	case string:
		switch x {
		case "NaN":
			return math.NaN()
		case "+Inf":
			return math.Inf(1)
		case "-Inf":
			return math.Inf(-1)
		}
	case []any:
		for i := range x {
			x[i] = number(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = number(x[k])
		}
	}
	return v
}
