package nats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
)

// The patience of a search.
const (
	firstAnswer = dialTimeout * 3 / 4    // for an answer of what is looked for
	settle      = 150 * time.Millisecond // how long services may be silent then before those that have answered are taken to be all
)

// found is a process that has answered a search.
type found struct {
	Identity
	PID      int
	protocol string
}

// ping asks all processes at a server for their names, until no more answer. take gets each answer, and returns whether one that is looked for
// was among them, and whether all were: other processes may answer at once where the one that is looked for waits for a processor.
func ping(ctx context.Context, conn *nats.Conn, take func(found) (some, all bool)) error {
	answers, err := conn.SubscribeSync(conn.NewRespInbox())
	if err == nil {
		defer func() { _ = answers.Unsubscribe() }()
		err = conn.PublishRequest(micro.APIPrefix+"."+micro.PingVerb.String()+"."+ServiceName, answers.Subject, nil)
	}
	if err != nil {
		return fmt.Errorf("look for processes: %w", err)
	}
	limit := time.Now().Add(firstAnswer)
	for {
		step, cancel := context.WithDeadline(ctx, limit)
		m, err := answers.NextMsgWithContext(step)
		cancel()
		switch {
		case errors.Is(err, nats.ErrNoResponders), errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			return nil
		case err != nil:
			return fmt.Errorf("look for processes: %w", err)
		}
		var p micro.Ping
		if json.Unmarshal(m.Data, &p) != nil {
			continue
		}
		switch some, all := take(newFound(p.Metadata)); {
		case all:
			return nil
		case some:
			limit = time.Now().Add(settle)
		}
	}
}

func newFound(m map[string]string) found {
	pid, _ := strconv.Atoi(m["pid"])
	return found{PID: pid, protocol: m["protocol"], Identity: Identity{System: m["system"], Process: m["process"], Host: m["host"], File: m["file"],
		Version: m["version"], Processes: strings.Split(m["processes"], ",")}}
}

// ListAt returns the names of the systems at a server, such as a site's cluster, sorted.
func ListAt(ctx context.Context, address Address) ([]string, error) {
	conn, err := connect(address, "sinew tools", nil)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	var names []string
	err = ping(ctx, conn, func(f found) (some, all bool) {
		names = append(names, f.System)
		return true, false
	})
	slices.Sort(names)
	return slices.Compact(names), err
}
