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

// settle is how long services may be silent before those that have answered are taken to be all.
const settle = 150 * time.Millisecond

// found is a process that has answered a search.
type found struct {
	Identity
	PID      int
	protocol string
}

// ping asks all processes at a server for their names, until enough returns true or no more answer.
func ping(ctx context.Context, conn *nats.Conn, enough func([]found) bool) ([]found, error) {
	answers, err := conn.SubscribeSync(conn.NewRespInbox())
	if err == nil {
		defer func() { _ = answers.Unsubscribe() }()
		err = conn.PublishRequest(micro.APIPrefix+"."+micro.PingVerb.String()+"."+ServiceName, answers.Subject, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("look for processes: %w", err)
	}
	var list []found
	wait := dialTimeout * 3 / 4 // for the first
	for {
		step, cancel := context.WithTimeout(ctx, wait)
		m, err := answers.NextMsgWithContext(step)
		cancel()
		switch {
		case errors.Is(err, nats.ErrNoResponders), errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			return list, nil
		case err != nil:
			return list, fmt.Errorf("look for processes: %w", err)
		}
		var p micro.Ping
		if json.Unmarshal(m.Data, &p) != nil {
			continue
		}
		list = append(list, newFound(p.Metadata))
		if enough(list) {
			return list, nil
		}
		wait = settle
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
	list, err := ping(ctx, conn, func([]found) bool { return false })
	var names []string
	for _, f := range list {
		names = append(names, f.System)
	}
	slices.Sort(names)
	return slices.Compact(names), err
}
