package deploy

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/exchange"
	"github.com/sinew-robotics/sinew/net/link/remote"
	"github.com/sinew-robotics/sinew/net/system"
)

// flow is what the links of a system carry from one host to another.
type flow struct {
	from, to string
	links    []load
	unknown  []string // links whose rate no thread determines
}

// load is one link of a flow.
type load struct {
	name string
	rate float64 // bytes a second, as the line carries them
}

// mostNamed is how many links a notice of overload names, the largest first.
const mostNamed = 3

// Notices returns what may not be wanted of the links between the hosts of a system: directions with more than the carrier carries, and
// priorities without effect. s is the whole system, not one of its processes.
func Notices(s *system.System) []diagram.Notice { return append(overload(s), unranked(s)...) }

// unranked returns a notice for each link whose priority the default scheduler does not heed.
func unranked(s *system.System) (list []diagram.Notice) {
	if name := s.Deploy.Scheduler.Name; name != "" && name != system.DefaultScheduler {
		return nil
	}
	for _, l := range s.Net.Links {
		if l.Priority > 0 {
			list = append(list, diagram.Notice{Source: l.Link.Source, Text: fmt.Sprintf(
				"link %v has the priority %d, which the scheduler %s does not heed: write scheduler: priority under deploy", l.Link, l.Priority, system.DefaultScheduler)})
		}
	}
	return list
}

// overload returns a notice for each direction between two hosts in which the links of a system need more than their carrier can carry, for
// example a serial line. It knows the rate of links whose sender has a period; events, calls and triggered threads come on top. Carriers
// of no declared rate give none.
func overload(s *system.System) (list []diagram.Notice) {
	c := &s.Deploy.Carrier
	if c.Rate == nil {
		return nil
	}
	flows := flowsOf(s)
	for _, f := range flows {
		rate := lineRate(s, f.from, f.to)
		beat := c.Period
		if beat == 0 {
			beat = remote.Beat
		}
		ends := len(f.links) + len(f.unknown)
		if i := slices.IndexFunc(flows, func(back *flow) bool { return back.from == f.to && back.to == f.from }); i >= 0 {
			ends += len(flows[i].links) + len(flows[i].unknown)
		}
		need := float64(remote.BeatBytes(ends, c.MaxDatagram, frameBytes(s))) / beat.Seconds()
		for _, l := range f.links {
			need += l.rate
		}
		if rate == 0 || need <= rate {
			continue
		}
		list = append(list, diagram.Notice{Source: describedHost(s, f.from).Source, Text: f.overload(c.Name, need, rate)})
	}
	return list
}

// overload describes that a flow needs more than the rate of its carrier.
func (f *flow) overload(carrier string, need, rate float64) string {
	slices.SortStableFunc(f.links, func(a, b load) int { return int(math.Copysign(1, b.rate-a.rate)) })
	var named []string
	for _, l := range f.links[:min(mostNamed, len(f.links))] {
		named = append(named, fmt.Sprintf("%s %s", l.name, perSecond(l.rate)))
	}
	if more := len(f.links) - len(named); more > 0 {
		named = append(named, fmt.Sprintf("%d more", more))
	}
	text := fmt.Sprintf("links from host %q to host %q need at least %s, and the carrier %s carries %s there (%s): values will be lost and counted. Reduce them by encode of a link, by every of a block or by the period of a thread, or raise the rate of the line",
		f.from, f.to, perSecond(need), carrier, perSecond(rate), strings.Join(named, ", "))
	if len(f.unknown) > 0 {
		text += fmt.Sprintf("; %s come on top, at rates that are not known before", strings.Join(f.unknown, ", "))
	}
	return text
}

// frameBytes returns what carrier and encryption add to each datagram, beside its head.
func frameBytes(s *system.System) int {
	if s.Deploy.Insecure {
		return s.Deploy.Carrier.Frame - remote.SealBytes
	}
	return s.Deploy.Carrier.Frame
}

// perSecond writes a rate.
func perSecond(rate float64) string {
	if rate < 1e4 {
		return fmt.Sprintf("%.0f B/s", rate)
	}
	return fmt.Sprintf("%.1f kB/s", rate/1e3)
}

// lineRate returns what the carrier carries between two hosts: the slower of their sides; 0 where it is not known.
func lineRate(s *system.System, a, b string) (rate float64) {
	for _, host := range []string{a, b} {
		if address := describedHost(s, host).Address; address != "" {
			if r := s.Deploy.Carrier.Rate(address); r > 0 && (rate == 0 || r < rate) {
				rate = r
			}
		}
	}
	return rate
}

// flowsOf returns what a system's links carry from host to host. Links of one source to one host are one.
func flowsOf(s *system.System) (flows []*flow) {
	known := map[string]bool{}
	add := func(spec *exchange.Spec, from, to string, every time.Duration) {
		key := spec.Name + " " + to
		if from == to || known[key] {
			return
		}
		known[key] = true
		i := slices.IndexFunc(flows, func(f *flow) bool { return f.from == from && f.to == to })
		if i < 0 {
			i = len(flows)
			flows = append(flows, &flow{from: from, to: to})
		}
		if every == 0 {
			flows[i].unknown = append(flows[i].unknown, spec.Name)
			return
		}
		bytes := remote.PacketBytes(spec.Link().Size, s.Deploy.Carrier.MaxDatagram, frameBytes(s))
		flows[i].links = append(flows[i].links, load{spec.Name, float64(bytes) / every.Seconds()})
	}
	blocks := hostOfBlocks(s)
	of := func(process, block string) string {
		if process == "" {
			return blocks[block]
		}
		return hostOfProcess(s, process)
	}
	for _, l := range s.Net.Links {
		add(&l.Spec, of(l.Spec.From, l.From.Block), of(l.ToProcess, l.To.Block), l.Interval)
	}
	for _, t := range s.Net.Ticks {
		var period time.Duration
		for _, leader := range s.Net.Threads {
			if leader.Name == t.Leader {
				period = leader.Period
			}
		}
		add(&t.Spec, hostOfThread(s, t.Leader), hostOfThread(s, t.Follower), period)
	}
	for _, c := range s.Net.Calls {
		caller, peer := hostOfProcess(s, c.CallerProcess), hostOfProcess(s, c.PeerProcess)
		add(&c.Request, caller, peer, 0)
		add(&c.Answer, peer, caller, 0)
	}
	return flows
}
