// Package metrics offers the statistics of a running system to Prometheus.
//
// Limits: 64 connections, of which the oldest without a request makes room for another; 5 s for a request, 10 s for its answer; 4 requests at once.
//
// # Goroutines
//
//	goroutine     started by  owner   bound            end
//	the server    Serve       Server  1                Close
//	its requests  net/http    Server  4, then refused  when they are answered
package metrics

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/sinew-robotics/sinew/internal/inuse"
	"github.com/sinew-robotics/sinew/net/record"
)

// timeout limits how long a system takes to report its statistics, and a scraper to read them.
const timeout = 5 * time.Second

// Statistics asks a system what it has done so far.
type Statistics func(ctx context.Context) (*record.RunStatistics, error)

// Server offers the statistics of a system to Prometheus.
type Server struct {
	server   *http.Server
	listener *listener
	address  net.Addr
	ended    chan struct{}
}

// Serve offers the statistics of a system at http://ADDRESS/metrics until the server is closed. The address is host:port.
func Serve(address string, ask Statistics) (*Server, error) {
	on, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("serve metrics: %w", inuse.Explain(err, "tcp", address, "choose another port with --metrics, or with metrics: in the system file"))
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", handler(ask))
	m := &Server{listener: &listener{Listener: on}, address: on.Addr(), ended: make(chan struct{})}
	m.server = &http.Server{Handler: mux, ConnState: m.listener.note,
		ReadHeaderTimeout: timeout, ReadTimeout: timeout, WriteTimeout: 2 * timeout, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 1 << 14}
	go func() {
		defer close(m.ended)
		_ = m.server.Serve(m.listener) // ends with Close
	}()
	return m, nil
}

// Close ends the server.
func (m *Server) Close() error {
	err := m.server.Close()
	<-m.ended
	return err
}

// handler answers at most four scrapers at once, each with statistics that it asks the system for.
func handler(ask Statistics) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(&collector{ask})
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: timeout})
}

// metric describes one kind of metric.
func metric(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("sinew_"+name, help, append([]string{"system"}, labels...), nil)
}

// metrics are all kinds, beside the name of the system with the labels that are listed.
type metrics struct {
	time, faults, warnings                                    *prometheus.Desc
	activations, slips, late, hangs, pageFaults, lost, period *prometheus.Desc // of a thread
	lateness, cycle, locked, phase                            *prometheus.Desc
	step, timeouts                                            *prometheus.Desc // of a block
	packets, linkLost, linkStale, linkLate                    *prometheus.Desc // of a link
	clipped, rejected, age, connected                         *prometheus.Desc
}

func newMetrics() *metrics {
	thread := []string{"process", "thread"}
	step := []string{"process", "thread", "block", "part"}
	link := []string{"link", "from", "to", "end"}
	return &metrics{
		time:        metric("time_seconds", "Time of the system."),
		faults:      metric("blocks_in_error", "Blocks that went into error."),
		warnings:    metric("warnings", "Blocks that rest because an input has no data, and other warnings."),
		activations: metric("thread_activations_total", "Activations of a thread.", thread...),
		slips:       metric("thread_slips_total", "Periods that a thread has missed.", thread...),
		late:        metric("thread_late_total", "Values of other threads that were not there at their tick.", thread...),
		hangs:       metric("thread_hangs_total", "Times that a thread finished no activation within its watchdog.", thread...),
		pageFaults:  metric("thread_page_faults_total", "Page faults of a thread while it ran.", thread...),
		lost:        metric("thread_lost_samples_total", "Samples for the log that found no room.", thread...),
		period:      metric("thread_period_seconds", "Period of a thread; 0: it is triggered.", thread...),
		lateness:    metric("thread_lateness_seconds", "How late activations began.", thread...),
		cycle:       metric("thread_cycle_seconds", "How long activations took.", thread...),
		locked:      metric("thread_locked", "1 where a thread keeps time with its leader in another process.", thread...),
		phase:       metric("thread_phase_seconds", "How far the grids of a thread and its leader are apart.", thread...),
		step:        metric("block_step_seconds", "How long a part of a block takes: quantiles, 1 is the longest.", append(step, "quantile")...),
		timeouts:    metric("block_timeouts_total", "How often a block began to rest because an input had no data.", step...),
		packets:     metric("link_packets_total", "Packets that this end has sent or received.", link...),
		linkLost:    metric("link_lost_total", "Packets that never came, or were refused.", link...),
		linkStale:   metric("link_stale_total", "Packets that were overtaken, came twice or were replayed, and were dropped.", link...),
		linkLate:    metric("link_late_total", "Values that came after the tick that should have taken them, at a receiving end.", link...),
		clipped:     metric("link_clipped_total", "Values outside of the range of the link's encoding, at a sending end.", link...),
		rejected:    metric("link_rejected_total", "Packets of strangers, or malformed ones.", link...),
		age:         metric("link_age_seconds", "Time since the newest packet was sent, at a receiving end.", link...),
		connected:   metric("link_connected", "1 where the other end is there.", link...),
	}
}

// collector asks a system for its statistics at each scrape.
type collector struct{ ask Statistics }

// Describe implements prometheus.Collector. The metrics depend on the system, so it describes none.
func (c *collector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	m := newMetrics()
	s, err := c.ask(ctx)
	if err != nil {
		out <- prometheus.NewInvalidMetric(m.time, errors.Join(errors.New("the system does not report its statistics"), err))
		return
	}
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, append([]string{s.System}, labels...)...)
	}
	count := func(d *prometheus.Desc, n uint64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), append([]string{s.System}, labels...)...)
	}
	gauge(m.time, s.Duration)
	gauge(m.faults, float64(len(s.Faults)))
	gauge(m.warnings, float64(len(s.Warnings)))
	for _, t := range s.Threads {
		count(m.activations, t.Activations, t.Process, t.Name)
		count(m.slips, t.Slips, t.Process, t.Name)
		count(m.late, t.Late, t.Process, t.Name)
		count(m.hangs, t.Hangs, t.Process, t.Name)
		count(m.pageFaults, uint64(max(t.PageFaults, 0)), t.Process, t.Name)
		count(m.lost, t.LostSamples, t.Process, t.Name)
		gauge(m.period, t.Period, t.Process, t.Name)
		out <- histogram(m.lateness, &t.Jitter, s.System, t.Process, t.Name)
		out <- histogram(m.cycle, &t.Cycle, s.System, t.Process, t.Name)
		if t.Pace != nil {
			gauge(m.locked, boolean(t.Pace.Locked), t.Process, t.Name)
			out <- histogram(m.phase, &t.Pace.Phase, s.System, t.Process, t.Name)
		}
		for _, b := range t.Steps {
			gauge(m.step, float64(b.P50)*1e-9, t.Process, t.Name, b.Block, b.Part, "0.5")
			gauge(m.step, float64(b.P99)*1e-9, t.Process, t.Name, b.Block, b.Part, "0.99")
			gauge(m.step, float64(b.Max)*1e-9, t.Process, t.Name, b.Block, b.Part, "1")
			count(m.timeouts, b.Timeouts, t.Process, t.Name, b.Block, b.Part)
		}
	}
	for _, l := range s.Links {
		end := "receives"
		if l.Outgoing {
			end = "sends"
		}
		count(m.packets, l.Packets, l.Name, l.From, l.To, end)
		count(m.linkLost, l.Lost, l.Name, l.From, l.To, end)
		count(m.linkStale, l.Stale, l.Name, l.From, l.To, end)
		count(m.linkLate, l.Late, l.Name, l.From, l.To, end)
		count(m.clipped, l.Clipped, l.Name, l.From, l.To, end)
		count(m.rejected, l.Rejected, l.Name, l.From, l.To, end)
		gauge(m.age, l.Age, l.Name, l.From, l.To, end)
		gauge(m.connected, boolean(l.Connected), l.Name, l.From, l.To, end)
	}
}

func boolean(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// histogram gives the buckets of a distribution the bounds 1, 2 and 5 of each decade from 1 µs to 1 s. A bucket that
// reaches across a bound counts for the next one: no duration looks shorter than it was.
func histogram(d *prometheus.Desc, h *record.Distribution, labels ...string) prometheus.Metric {
	buckets := map[float64]uint64{}
	var bounds []int64
	for decade := int64(1000); decade < 1e9; decade *= 10 {
		bounds = append(bounds, decade, 2*decade, 5*decade)
	}
	bounds = append(bounds, 1e9)
	var total uint64
	var sum float64
	for _, b := range h.Buckets {
		total += b.Count
		sum += float64(b.Count) * float64(b.From+b.To) / 2 * 1e-9
	}
	for _, bound := range bounds {
		var n uint64
		for _, b := range h.Buckets {
			if b.To <= bound {
				n += b.Count
			}
		}
		buckets[float64(bound)/1e9] = n
	}
	return prometheus.MustNewConstHistogram(d, total, sum, buckets, labels...)
}
