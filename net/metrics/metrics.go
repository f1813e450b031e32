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
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

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

// scrapers is the number of requests that are answered at the same time.
const scrapers = 4

// handler answers at most four scrapers at once, each with statistics that it asks the system for.
func handler(ask Statistics) http.Handler {
	busy := make(chan struct{}, scrapers)
	answer := func(w http.ResponseWriter, r *http.Request) {
		select {
		case busy <- struct{}{}:
			defer func() { <-busy }()
		default:
			http.Error(w, fmt.Sprintf("%d scrapers are being answered; try again later", scrapers), http.StatusServiceUnavailable)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), timeout)
		defer cancel()
		s, err := ask(ctx)
		if err != nil {
			http.Error(w, fmt.Sprintf("the system does not report its statistics: %v", err), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", contentType)
		out := io.Writer(w)
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			defer z.Close()
			out = z
		}
		for _, f := range families(s) {
			f.write(out)
		}
	}
	return http.TimeoutHandler(http.HandlerFunc(answer), timeout, "the system does not report its statistics in time")
}

// families returns the metrics of a system. Labels are in the order of their names.
func families(s *record.RunStatistics) (all []*family) {
	metric := func(kind, name, help string, labels ...string) *family {
		f := &family{name: "sinew_" + name, help: help, kind: kind, labels: labels}
		all = append(all, f)
		return f
	}
	ofSystem := []string{"system"}
	ofThread := []string{"process", "system", "thread"}
	ofPart := []string{"block", "part", "process", "system", "thread"}
	ofQuantile := []string{"block", "part", "process", "quantile", "system", "thread"}
	ofLink := []string{"end", "from", "link", "system", "to"}
	running := metric("gauge", "time_seconds", "Time of the system.", ofSystem...)
	faults := metric("gauge", "blocks_in_error", "Blocks that went into error.", ofSystem...)
	warnings := metric("gauge", "warnings", "Blocks that rest because an input has no data, and other warnings.", ofSystem...)
	activations := metric("counter", "thread_activations_total", "Activations of a thread.", ofThread...)
	slips := metric("counter", "thread_slips_total", "Periods that a thread has missed.", ofThread...)
	late := metric("counter", "thread_late_total", "Values of other threads that were not there at their tick.", ofThread...)
	hangs := metric("counter", "thread_hangs_total", "Times that a thread finished no activation within its watchdog.", ofThread...)
	pageFaults := metric("counter", "thread_page_faults_total", "Page faults of a thread while it ran.", ofThread...)
	lost := metric("counter", "thread_lost_samples_total", "Samples for the log that found no room.", ofThread...)
	period := metric("gauge", "thread_period_seconds", "Period of a thread; 0: it is triggered.", ofThread...)
	lateness := metric("histogram", "thread_lateness_seconds", "How late activations began.", ofThread...)
	cycle := metric("histogram", "thread_cycle_seconds", "How long activations took.", ofThread...)
	locked := metric("gauge", "thread_locked", "1 where a thread keeps time with its leader in another process.", ofThread...)
	phase := metric("histogram", "thread_phase_seconds", "How far the grids of a thread and its leader are apart.", ofThread...)
	step := metric("gauge", "block_step_seconds", "How long a part of a block takes: quantiles, 1 is the longest.", ofQuantile...)
	timeouts := metric("counter", "block_timeouts_total", "How often a block began to rest because an input had no data.", ofPart...)
	packets := metric("counter", "link_packets_total", "Packets that this end has sent or received.", ofLink...)
	linkLost := metric("counter", "link_lost_total", "Packets that never came, or were refused.", ofLink...)
	linkStale := metric("counter", "link_stale_total", "Packets that were overtaken, came twice or were replayed, and were dropped.", ofLink...)
	linkLate := metric("counter", "link_late_total", "Values that came after the tick that should have taken them, at a receiving end.", ofLink...)
	clipped := metric("counter", "link_clipped_total", "Values outside of the range of the link's encoding, at a sending end.", ofLink...)
	rejected := metric("counter", "link_rejected_total", "Packets of strangers, or malformed ones.", ofLink...)
	age := metric("gauge", "link_age_seconds", "Time since the newest packet was sent, at a receiving end.", ofLink...)
	connected := metric("gauge", "link_connected", "1 where the other end is there.", ofLink...)
	running.add(s.Duration, s.System)
	faults.add(float64(len(s.Faults)), s.System)
	warnings.add(float64(len(s.Warnings)), s.System)
	for _, t := range s.Threads {
		labels := []string{t.Process, s.System, t.Name}
		activations.add(float64(t.Activations), labels...)
		slips.add(float64(t.Slips), labels...)
		late.add(float64(t.Late), labels...)
		hangs.add(float64(t.Hangs), labels...)
		pageFaults.add(float64(max(t.PageFaults, 0)), labels...)
		lost.add(float64(t.LostSamples), labels...)
		period.add(t.Period, labels...)
		lateness.histogram(&t.Jitter, labels...)
		cycle.histogram(&t.Cycle, labels...)
		if t.Pace != nil {
			locked.add(boolean(t.Pace.Locked), labels...)
			phase.histogram(&t.Pace.Phase, labels...)
		}
		for _, b := range t.Steps {
			step.add(float64(b.P50)*1e-9, b.Block, b.Part, t.Process, "0.5", s.System, t.Name)
			step.add(float64(b.P99)*1e-9, b.Block, b.Part, t.Process, "0.99", s.System, t.Name)
			step.add(float64(b.Max)*1e-9, b.Block, b.Part, t.Process, "1", s.System, t.Name)
			timeouts.add(float64(b.Timeouts), b.Block, b.Part, t.Process, s.System, t.Name)
		}
	}
	for _, l := range s.Links {
		end := "receives"
		if l.Outgoing {
			end = "sends"
		}
		labels := []string{end, l.From, l.Name, s.System, l.To}
		packets.add(float64(l.Packets), labels...)
		linkLost.add(float64(l.Lost), labels...)
		linkStale.add(float64(l.Stale), labels...)
		linkLate.add(float64(l.Late), labels...)
		clipped.add(float64(l.Clipped), labels...)
		rejected.add(float64(l.Rejected), labels...)
		age.add(l.Age, labels...)
		connected.add(boolean(l.Connected), labels...)
	}
	return all
}

func boolean(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// histogram adds a distribution, with buckets of the bounds 1, 2 and 5 of each decade from 1 µs to 1 s. A bucket of the distribution that
// reaches across a bound counts for the next one: no duration looks shorter than it was.
func (f *family) histogram(h *record.Distribution, labels ...string) {
	names, values := append(slices.Clone(f.labels), "le"), append(slices.Clone(labels), "")
	bucket := func(bound string, n uint64) {
		values[len(labels)] = bound
		f.sample("_bucket", names, values, float64(n))
	}
	var bounds []int64
	for decade := int64(1000); decade < 1e9; decade *= 10 {
		bounds = append(bounds, decade, 2*decade, 5*decade)
	}
	for _, bound := range append(bounds, 1e9) {
		var n uint64
		for _, b := range h.Buckets {
			if b.To <= bound {
				n += b.Count
			}
		}
		bucket(strconv.FormatFloat(float64(bound)/1e9, 'g', -1, 64), n)
	}
	var total uint64
	var sum float64
	for _, b := range h.Buckets {
		total += b.Count
		sum += float64(b.Count) * float64(b.From+b.To) / 2 * 1e-9
	}
	bucket("+Inf", total)
	f.sample("_sum", f.labels, labels, sum)
	f.sample("_count", f.labels, labels, float64(total))
}
