package nats

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
)

// The limits of the control plane, besides those of package request.
const (
	MaxAnswerBytes = 1 << 26 // of an answer, unpacked
	MaxWaiting     = 1024    // events and log lines of a process that wait to be published; more are lost and counted
	compressAbove  = 1 << 15 // bytes of an answer

	maxHistoryBytes = 1 << 18 // of log lines in an answer
)

// The headers of requests and answers.
const (
	protocolHeader = "Sinew-Protocol"  // version that the client speaks
	clientHeader   = "Sinew-Client"    // the actor, as JSON, or the name of a user
	encodingHeader = "Accept-Encoding" // the client understands gzip
	packedHeader   = "Content-Encoding"
)

// refusal is the payload of an answer that is an error.
type refusal struct {
	Error string `json:"error"`
}

// moment is the answer to "time".
type moment struct {
	Now      clock.Time `json:"time_ns"`
	Instance string     `json:"instance"` // of the process
}

// actorHeader returns the value of clientHeader: the actor of the context, else the client, as JSON.
func (c *Client) actorHeader(ctx context.Context) string {
	actor, ok := admin.ActorOf(ctx)
	if !ok {
		actor = c.actor
	}
	text, _ := json.Marshal(actor)
	return string(text)
}

// parseActor reads the value of clientHeader: an actor as JSON, or a user's name.
func parseActor(header string) (a admin.Actor) {
	if json.Unmarshal([]byte(header), &a) != nil {
		return admin.Actor{User: header}
	}
	return a
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
