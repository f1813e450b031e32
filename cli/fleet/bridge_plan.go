package fleet

import (
	"context"
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/bridge"
	"github.com/sinew-robotics/sinew/net/link/remote"
	"github.com/sinew-robotics/sinew/net/link/shm"
	"github.com/sinew-robotics/sinew/net/run"
)

// bridgePlan bridges the links in the plan of this host.
func bridgePlan(ctx context.Context, plan *deploy.Plan, registry *block.Registry) error {
	b := plan.Bridge
	if b == nil {
		return fmt.Errorf("%q has no links between hosts", plan.System)
	}
	config := remote.Config{Name: plan.Host, Local: b.Listen, Insecure: b.Insecure}
	var err error
	if config.Identity, err = remote.ParseIdentity(b.Key); err != nil {
		return err
	}
	host, err := openNetwork(registry, b.Network, b.Scheduler, config)
	if err != nil {
		return err
	}
	defer host.Close()
	peers := map[string]link.Transport{}
	for _, p := range b.Peers {
		key, err := remote.ParsePublicKey(p.Key)
		if err != nil {
			return err
		}
		if peers[p.Host], err = host.Peer(remote.PeerConfig{Name: p.Host, Address: p.Address, Key: key}); err != nil {
			return err
		}
	}
	local, err := shm.New(plan.System)
	if err != nil {
		return err
	}
	id := nats.Identity{System: plan.System, Process: deploy.BridgeService(plan.Host), Host: plan.Host, Processes: plan.Services}
	return relay(ctx, id, run.Site(plan.Nats), plannedRelays(b, plan.Host, local, peers), 0)
}

// plannedRelays returns the relays of a host's bridge.
func plannedRelays(b *deploy.BridgePlan, host string, local *shm.Transport, peers map[string]link.Transport) (relays []bridge.Relay) {
	for _, w := range b.Links {
		here := bridge.End{Transport: local, Spec: w.Link, Find: local.Find}
		if w.From != host {
			relays = append(relays, bridge.Relay{Name: w.From + ":" + w.Link.Name + " -> " + w.Link.Name,
				From: bridge.End{Host: w.From, Transport: peers[w.From], Spec: w.Link}, To: []bridge.End{here}})
			continue
		}
		relay := bridge.Relay{Name: w.Link.Name + " ->", From: here}
		for _, to := range slices.Sorted(slices.Values(w.To)) {
			if to != host { // those of this host read the shared memory themselves
				relay.Name += " " + to + ":" + w.Link.Name
				relay.To = append(relay.To, bridge.End{Host: to, Transport: peers[to], Spec: w.Link})
			}
		}
		relays = append(relays, relay)
	}
	return relays
}
