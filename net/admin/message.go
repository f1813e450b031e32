package admin

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
)

// The limits of the control plane.
const (
	MaxRequestBytes = 1 << 20 // of a request
	MaxAnswerBytes  = 1 << 26 // of an answer, unpacked
	MaxWaiting      = 1024    // events and log lines of a process that wait to be published; more are lost and counted
	MaxRequests     = 64      // requests that a process works on at once; more are refused
	compressAbove   = 1 << 15 // bytes of an answer
)

// The headers of requests and answers.
const (
	protocolHeader = "Sinew-Protocol"  // version that the client speaks
	clientHeader   = "Sinew-Client"    // who asks
	encodingHeader = "Accept-Encoding" // the client understands gzip
	packedHeader   = "Content-Encoding"
)

// The codes of refused requests.
const (
	codeRefused  = "400" // the system says why
	codeGone     = "410" // the system has ended
	codeTooLarge = "413"
	codeVersion  = "426" // client and process are of different versions
	codeBusy     = "429"
)

// request is the payload of a request; each method reads the members that it needs.
type request struct {
	Texts   map[string]string `json:"texts,omitempty"` // of files, by absolute path
	Changes []system.Change   `json:"changes,omitempty"`

	Ref    string         `json:"ref,omitempty"` // "block.name", or a block
	Value  any            `json:"value,omitempty"`
	For    *float64       `json:"for_s,omitempty"` // of feed: how long; nil: until it is released
	Args   []any          `json:"args,omitempty"`
	Named  map[string]any `json:"named,omitempty"`
	Client string         `json:"client,omitempty"` // who taps
	Taps   []tapOrder     `json:"taps,omitempty"`
	IDs    []int          `json:"ids,omitempty"` // of taps
}

// tapOrder asks for a tap; its samples bear the id.
type tapOrder struct {
	ID    int    `json:"id"`
	Ref   string `json:"ref"`
	Every int    `json:"every"`
}

// refusal is the payload of an answer that is an error.
type refusal struct {
	Error string `json:"error"`
}

// moment is the answer to "time".
type moment struct {
	Now      clock.Time `json:"time_ns"`
	Instance string     `json:"instance"` // of the process
}

// Event is something that happened to a system.
type Event struct {
	Time    clock.Time `json:"time_ns"`
	At      time.Time  `json:"at"` // by the clock of its host; those of a process never run backwards
	Process string     `json:"process"`
	Kind    string     `json:"kind"`          // started, stopped, fault, warning, or the method that changed something: set, feed, release, enable, call, reset, stop
	Ref     string     `json:"ref,omitempty"` // what it happened to
	Text    string     `json:"text,omitempty"`
	By      string     `json:"by,omitempty"` // the client that did it
}

// LogLine is a line that a process has logged.
type LogLine struct {
	At      time.Time `json:"at"` // by the clock of its host
	Process string    `json:"process"`
	Seq     uint64    `json:"seq"` // gaps are lines that were lost
	Text    string    `json:"text"`
}

// encode makes JSON of a result. NaN and infinities, for which JSON has no numbers, become "NaN", "+Inf" and "-Inf".
func encode(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	var unsupported *json.UnsupportedValueError
	if errors.As(err, &unsupported) {
		return json.Marshal(finite(v))
	}
	return b, err
}

// pack compresses an answer.
func pack(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	_, _ = w.Write(data)
	_ = w.Close()
	return b.Bytes()
}

// unpack undoes pack; it never makes more than MaxAnswerBytes.
func unpack(data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(io.LimitReader(r, MaxAnswerBytes+1))
	if err == nil && len(plain) > MaxAnswerBytes {
		err = fmt.Errorf("the answer has more than %d bytes", MaxAnswerBytes)
	}
	return plain, err
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
	}
	return v
}

// Number turns "NaN", "+Inf" and "-Inf", which stand for what JSON has no numbers for, back into numbers, also in lists and maps.
func Number(v any) any {
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
			x[i] = Number(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = Number(x[k])
		}
	}
	return v
}
