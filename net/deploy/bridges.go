package deploy

import (
	"fmt"
	"net"
	"slices"
	"strconv"

	"github.com/sinew-robotics/sinew/net/exchange"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/remote"
	"github.com/sinew-robotics/sinew/net/system"
)

// BridgePlan describes the bridge of a host. Its links have the same names in the shared memory of both sides.
type BridgePlan struct {
	Network   string        `json:"network"`            // name of the carrier; "": system.DefaultNetwork
	Scheduler string        `json:"scheduler"`          // name of the scheduler; "": system.DefaultScheduler
	Insecure  bool          `json:"insecure,omitempty"` // plain text: keys are not used
	Listen    string        `json:"listen"`             // in the carrier's form, as host:port; the host may be empty
	Key       string        `json:"key"`                // private
	Peers     []BridgePeer  `json:"peers"`
	Links     []BridgedLink `json:"wires"`
}

// BridgePeer is the bridge of another host.
type BridgePeer struct {
	Host    string `json:"host"`
	Address string `json:"address,omitempty"` // in the carrier's form, as host:port; "" if it is unknown: the peer connects
	Key     string `json:"key"`               // public
}

// BridgedLink is a link from one host to others. Its Size is 0 if only foreign programs know it.
type BridgedLink struct {
	Link link.Spec `json:"link"` // its name and packets
	From string    `json:"from"` // host
	To   []string  `json:"to"`   // hosts
}

// bridge plans the links between hosts and the keys of the hosts. Addresses are known only when the hosts are reached.
func (p *Plan) bridge(s *system.System) error {
	links := crossing(s)
	public := map[string]string{}
	for _, plan := range p.all() {
		mine := slices.DeleteFunc(slices.Clone(links), func(l BridgedLink) bool { return l.From != plan.Host && !slices.Contains(l.To, plan.Host) })
		if len(mine) == 0 {
			continue
		}
		key, err := remote.NewIdentity()
		if err != nil {
			return err
		}
		public[plan.Host] = key.Public().String()
		plan.Bridge = &BridgePlan{Network: s.Deploy.Carrier.Name, Scheduler: s.Deploy.Scheduler.Name, Insecure: s.Deploy.Insecure, Key: key.Secret(), Links: mine}
		runs := s.Deploy.Bridge(plan.Host)
		plan.Processes = append(plan.Processes, PlannedProcess{Name: system.BridgeProcess,
			Command: []string{sinewCommand, "bridge", "--planned", p.System}, ReportsReady: true, Restart: system.RestartAlways.String(),
			Priority: runs.Priority, CPU: runs.CPU})
	}
	for _, plan := range p.all() {
		for _, other := range p.all() {
			if plan.Bridge != nil && other != plan && slices.ContainsFunc(plan.Bridge.Links, func(l BridgedLink) bool { return l.joins(plan.Host, other.Host) }) {
				plan.Bridge.Peers = append(plan.Bridge.Peers, BridgePeer{Host: other.Host, Key: public[other.Host]})
			}
		}
	}
	return p.checkCarrier(s)
}

// checkCarrier fails where the carrier cannot join the hosts as the links want.
func (p *Plan) checkCarrier(s *system.System) error {
	c := &s.Deploy.Carrier
	for _, plan := range p.all() {
		switch {
		case plan.Bridge == nil:
		case c.MaxPeers > 0 && len(plan.Bridge.Peers) > c.MaxPeers:
			return fmt.Errorf("host %q: links lead to %d other hosts, the carrier %s joins it with at most %d: choose another network", plan.Host, len(plan.Bridge.Peers), c.Name, c.MaxPeers)
		case c.Check != nil && describedHost(s, plan.Host).Address == "":
			return fmt.Errorf("host %q: the carrier %s wants an address of each host: give it one under deploy: hosts: %s: {address: …}", plan.Host, c.Name, plan.Host)
		}
	}
	return nil
}

// BridgeService returns the name of a host's bridge on the control plane.
func BridgeService(host string) string { return system.BridgeProcess + "-" + host }

// joins reports whether the link leads from one of two hosts to the other.
func (l *BridgedLink) joins(a, b string) bool {
	return l.From == a && slices.Contains(l.To, b) || l.From == b && slices.Contains(l.To, a)
}

// crossing returns the links of a system that lead from one host to another, among them the ticks of its threads and the calls of
// its blocks.
func crossing(s *system.System) (links []BridgedLink) {
	add := func(spec *exchange.Spec, from, to string) {
		if from == to {
			return
		}
		i := slices.IndexFunc(links, func(x BridgedLink) bool { return x.Link.Name == spec.Name })
		if i < 0 {
			i = len(links)
			links = append(links, BridgedLink{Link: spec.Link(), From: from})
		}
		links[i].Link.Priority = max(links[i].Link.Priority, spec.Priority) // of several links from one source
		if !slices.Contains(links[i].To, to) {
			links[i].To = append(links[i].To, to)
		}
	}
	blocks := hostOfBlocks(s)
	of := func(process, block string) string {
		if process == "" { // the net is that of the whole system
			return blocks[block]
		}
		return hostOfProcess(s, process)
	}
	for _, l := range s.Net.Links {
		add(&l.Spec, of(l.Spec.From, l.From.Block), of(l.ToProcess, l.To.Block))
	}
	for _, t := range s.Net.Ticks {
		add(&t.Spec, hostOfThread(s, t.Leader), hostOfThread(s, t.Follower))
	}
	for _, c := range s.Net.Calls {
		caller, peer := hostOfProcess(s, c.CallerProcess), hostOfProcess(s, c.PeerProcess)
		add(&c.Request, caller, peer)
		add(&c.Answer, peer, caller)
	}
	return links
}

// hostOfBlocks returns the host of each block.
func hostOfBlocks(s *system.System) map[string]string {
	hosts := map[string]string{}
	for _, t := range s.Net.Threads {
		for _, b := range t.Blocks {
			hosts[b.Name] = hostOfThread(s, t.Name)
		}
	}
	for _, f := range s.Net.Foreign {
		hosts[f.Name] = hostOfProcess(s, f.Process)
	}
	return hosts
}

func hostOfThread(s *system.System, thread string) string {
	return hostOfProcess(s, s.Deploy.ProcessOf(thread))
}

func hostOfProcess(s *system.System, process string) string {
	if p := s.Deploy.Process(process); p != nil && !s.Deploy.Local(p.Host) {
		return p.Host
	}
	return system.LocalHost
}

// describedHost returns what the system file describes of a host; the zero value if it does not mention it.
func describedHost(s *system.System, host string) system.Host {
	for _, h := range s.Deploy.Hosts {
		if h.Name == host || host == system.LocalHost && h.SSH == "" {
			return h
		}
	}
	return system.Host{}
}

// connect sets the addresses at which the bridges find one another.
func (p *Plan) connect(s *system.System, local HostInfo, remotes map[string]HostInfo) error {
	info := func(host string) HostInfo {
		if i, ok := remotes[host]; ok {
			return i
		}
		return local
	}
	own := s.Deploy.Carrier.Check != nil
	port := func(host string) int {
		if g := describedHost(s, host); g.Port != 0 {
			return g.Port
		}
		return info(host).Port
	}
	for _, plan := range p.all() {
		if plan.Bridge == nil {
			continue
		}
		plan.Bridge.Listen = ":" + strconv.Itoa(port(plan.Host))
		if own {
			plan.Bridge.Listen = describedHost(s, plan.Host).Address
		}
		for i := range plan.Bridge.Peers {
			peer := &plan.Bridge.Peers[i]
			address := describedHost(s, peer.Host).Address
			switch {
			case own:
				peer.Address = address
				continue
			case address != "":
			case peer.Host == system.LocalHost: // where this host sees the local one come from
				address = info(plan.Host).Client
			default:
				address = info(peer.Host).Server
			}
			if address == "" {
				return fmt.Errorf("host %q does not report an address at which others reach it: give it one: address: …", peer.Host)
			}
			peer.Address = net.JoinHostPort(address, strconv.Itoa(port(peer.Host)))
		}
	}
	return nil
}
