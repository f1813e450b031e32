package fleet

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/bridge"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/thread"
)

// relay bridges until the context ends, and reports the state of its links to the tools.
func relay(ctx context.Context, id nats.Identity, site nats.Address, relays []bridge.Relay, priority int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b, err := bridge.Open(relays, bridge.Options{Priority: priority})
	if err != nil {
		return err
	}
	empty, err := diagram.New(id.System).Build()
	if err != nil {
		return errors.Join(err, b.Close())
	}
	view := &bridgeView{host: cmp.Or(id.Host, hostName()), Local: admin.NewLocal(thread.New(empty, thread.Options{}).Front(), nil), bridge: b, stop: cancel}
	view.clock.StartAt(time.Now())
	server, err := nats.Listen(id, view, site)
	if err != nil {
		return errors.Join(err, b.Close())
	}
	proc.Readiness()()
	<-ctx.Done()
	return errors.Join(server.Close(), b.Close())
}

// bridgeView is a bridge as the tools see it: a process without blocks, whose links are the bridge's.
type bridgeView struct {
	*admin.Local
	host   string // this one
	bridge *bridge.Bridge
	clock  clock.Real
	stop   func()
}

// Now implements [admin.Clock].
func (v *bridgeView) Now() clock.Time { return v.clock.Now() }

// Stop implements [admin.Driver].
func (v *bridgeView) Stop(context.Context) error {
	v.stop()
	return nil
}

// Statistics implements [admin.Inspector].
func (v *bridgeView) Statistics(ctx context.Context) (*record.RunStatistics, error) {
	s, err := v.Local.Statistics(ctx)
	if err != nil {
		return nil, err
	}
	s.Duration, s.Links = v.Now().Seconds(), nil
	for _, c := range v.bridge.Counters() {
		from := &c.Relay.From
		s.Links = append(s.Links, v.link(from.Spec.Name, from.Host, c.Relay.To[0].Host, false, c.Received))
		for i, state := range c.To {
			to := &c.Relay.To[i]
			s.Links = append(s.Links, v.link(to.Spec.Name, from.Host, to.Host, true, state))
		}
	}
	return s, nil
}

// link returns the state of an end of a link between two hosts, of which this one has no name.
func (v *bridgeView) link(name, from, to string, outgoing bool, s link.State) link.State {
	s.Name, s.From, s.To, s.Outgoing = name, cmp.Or(from, v.host), cmp.Or(to, v.host), outgoing
	return s
}
