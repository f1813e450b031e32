package cli

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/bridge"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/thread"
)

// relay bridges until the context ends, and tells the tools how its links are.
func relay(ctx context.Context, id admin.Identity, site admin.Address, wires []bridge.Wire, priority int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b, err := bridge.Open(wires, bridge.Options{Priority: priority})
	if err != nil {
		return err
	}
	empty, err := diagram.New(id.System).Build()
	if err != nil {
		return errors.Join(err, b.Close())
	}
	view := &bridgeView{host: cmp.Or(id.Host, hostName()), Local: admin.NewLocal(thread.New(empty, thread.Options{}).Front(), nil), bridge: b, stop: cancel}
	view.clock.StartAt(time.Now())
	server, err := admin.Listen(id, view, site)
	if err != nil {
		return errors.Join(err, b.Close())
	}
	deploy.TellReady()
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

// Now implements [admin.Running].
func (v *bridgeView) Now() clock.Time { return v.clock.Now() }

// Stop implements [admin.System].
func (v *bridgeView) Stop(context.Context) error {
	v.stop()
	return nil
}

// Statistics implements [admin.System].
func (v *bridgeView) Statistics(ctx context.Context) (*record.RunStatistics, error) {
	s, err := v.Local.Statistics(ctx)
	if err != nil {
		return nil, err
	}
	s.Duration, s.Links = v.Now().Seconds(), nil
	for _, c := range v.bridge.Counters() {
		from := &c.Wire.From
		s.Links = append(s.Links, v.link(from.Spec.Name, from.Host, c.Wire.To[0].Host, false, c.Received))
		for i, state := range c.To {
			to := &c.Wire.To[i]
			s.Links = append(s.Links, v.link(to.Spec.Name, from.Host, to.Host, true, state))
		}
	}
	return s, nil
}

// link tells of an end of a link between two hosts, of which this one has no name.
func (v *bridgeView) link(name, from, to string, outgoing bool, s link.State) record.LinkStatistics {
	return record.LinkStatistics{Name: name, From: cmp.Or(from, v.host), To: cmp.Or(to, v.host), Outgoing: outgoing, Connected: s.Connected,
		Packets: s.Packets, Lost: s.Lost, Stale: s.Stale, Rejected: s.Rejected, Age: s.Age.Seconds(), Problem: s.Problem}
}
