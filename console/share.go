package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/console/history"
	"github.com/sinew-robotics/sinew/console/recordings"
	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/console/share"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/record"
)

// The limits of a shared page.
const (
	sharePatience  = 30 * time.Second // for a turn and the page
	shareWrite     = 2 * time.Minute  // for a browser to receive it
	mostShares     = 2                // pages that are made and sent at once
	sharesOfUser   = 1
	sharedPoints   = 1 << 15 // most of each signal of a running system; of more samples the extremes stay
	sharedNumbers  = 1 << 22 // times and values of all of them together: half of what a page holds
	maxSharedPlots = 64      // signals of a log that are named
	maxNote        = 4 << 10 // bytes
)

// serveShare sends a page of a run for download: of the last seconds of a system, or of a part of a log.
//
//	/share?system=NAME&seconds=60&note=TEXT
//	/share?system=NAME&log=FILE&from_ns=0&to_ns=0&signal=NAME…&note=TEXT
func (s *Server) serveShare(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	system, note := query.Get("system"), query.Get("note")
	name, of := system, s.lastSeconds
	if query.Has("log") {
		name, of = strings.TrimSuffix(filepath.Base(query.Get("log")), ".mcap"), s.logged
	}
	if len(note) > maxNote {
		http.Error(w, "share: wants a note of at most 4 KiB", http.StatusBadRequest)
		return
	}
	l := s.loginOf(r)
	if l == nil { // signed out since
		s.showLogin(w, r, http.StatusUnauthorized, "")
		return
	}
	ctx, cancel := context.WithTimeout(admin.WithActor(r.Context(), admin.Actor{User: l.User}), sharePatience)
	defer cancel()
	done, err := s.shares.Take(ctx)
	defer done() // after the browser has received the page, which takes memory until then
	if err != nil {
		http.Error(w, "share "+name+": "+err.Error(), http.StatusTooManyRequests)
		return
	}
	run, err := of(ctx, system, query)
	if err == nil {
		if note != "" {
			run.Notes = append(run.Notes, note)
		}
		var page bytes.Buffer // first, so that a failure is an answer and no page that ends early
		if err = share.Write(&page, run); err == nil {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name + ".html"}))
			_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(shareWrite))
			_, _ = w.Write(page.Bytes())
			return
		}
	}
	status := http.StatusUnprocessableEntity
	if errors.Is(err, errWants) {
		status = http.StatusBadRequest
	}
	http.Error(w, "share "+name+": "+err.Error(), status)
}

// errWants is a request for a page with numbers out of their range.
var errWants = errors.New("wants")

// logged returns a run with a part of a log. The robots are those of the system, if the log is one of it.
func (s *Server) logged(ctx context.Context, system string, query url.Values) (*share.Run, error) {
	from, err1 := strconv.ParseInt(query.Get("from_ns"), 10, 64)
	to, err2 := strconv.ParseInt(query.Get("to_ns"), 10, 64)
	if errors.Join(err1, err2) != nil || from < 0 || to < 0 || to > 0 && to <= from || len(query["signal"]) > maxSharedPlots {
		return nil, fmt.Errorf("%w 0 ≤ from_ns < to_ns, or to_ns=0 for the end; limit: %d signals", errWants, maxSharedPlots)
	}
	log, err := s.recordings.Reader(ctx, recordings.OpenRequest{System: system, File: query.Get("log")})
	if err != nil {
		return nil, err
	}
	defer log.Close()
	r := share.New("")
	if of, err := record.SystemOf(log.Path()); err == nil && of != "" && of != system {
		r.Problems = append(r.Problems, fmt.Sprintf("The log is one of %s, not of %s: it is shown without robots; sinew share %s SYSTEM.yaml shows them", of, system, filepath.Base(log.Path())))
	} else {
		list, err := s.robots.List(ctx, system)
		if err != nil {
			return nil, err
		}
		r.System, r.Problems = system, append(r.Problems, list.Notes...)
		if err := r.AddRobots(ctx, s.robots, list.Robots); err != nil {
			return nil, err
		}
	}
	return r, share.FromLog(r, log, query["signal"], from, to)
}

// lastSeconds returns a run with the last seconds of a system that runs or has ended, as the console keeps them.
func (s *Server) lastSeconds(ctx context.Context, system string, query url.Values) (*share.Run, error) {
	seconds, err := strconv.ParseFloat(query.Get("seconds"), 64)
	if err != nil || !(seconds > 0 && seconds <= 600) {
		return nil, fmt.Errorf("%w 0 < seconds ≤ 600", errWants)
	}
	span, err := s.history.Span(ctx, system)
	if err != nil {
		return nil, err
	}
	st, list, err := s.described(ctx, system)
	if err != nil {
		return nil, err
	}
	from := max(span.Start, span.End-clock.Time(seconds*1e9))
	if from >= span.End {
		return nil, errors.New("the console has no values of it yet")
	}
	r := share.New(system)
	r.Start, r.End, r.Wall, r.Problems = int64(from), int64(span.End), &span.Wall, append(r.Problems, list.Notes...)
	if err := r.AddRobots(ctx, s.robots, list.Robots); err != nil {
		return nil, err
	}
	names := s.sharedSignals(ctx, st, r.Robots, span.End)
	if err := s.addSignals(ctx, r, st, names); err != nil {
		return nil, err
	}
	for _, x := range span.Slips {
		if x.Time >= from {
			r.Slips = append(r.Slips, share.Slip{Time: int64(x.Time), Thread: x.Thread, Count: x.Count})
		}
	}
	for _, e := range s.eventLog.since(0, system) {
		at := min(r.End, r.End-span.Wall.Sub(e.Time).Nanoseconds()) // what ended a system comes after its last sample
		if e.Kind != EventLog && at >= r.Start {
			r.Events = append(r.Events, share.Event{Time: at, Kind: string(e.Kind), Text: e.Text, User: e.User})
		}
	}
	r.Missing()
	return r, nil
}

// described returns the structure and the robots of a system that runs, or as they were when it ended.
func (s *Server) described(ctx context.Context, system string) (*admin.Structure, *robots.List, error) {
	st, err := s.pool.Structure(ctx, system)
	if err == nil {
		list, err := s.robots.List(ctx, system)
		return st, list, err
	}
	last := s.pool.Seen(system).Structure
	if last == nil {
		return nil, nil, err
	}
	list, err := s.robots.List(ctx, system)
	if err != nil {
		list = &robots.List{Notes: []string{"Its robots are missing: no page has shown them while the system ran"}}
	}
	return last, list, nil
}

// sharedSignals returns the signals that the system file watches, or those that blocks tag, and those of the robots' motion.
func (s *Server) sharedSignals(ctx context.Context, st *admin.Structure, list []robots.Robot, at clock.Time) []string {
	names := slices.Clone(st.Watch)
	var ports []string
	if len(names) == 0 {
		for _, b := range st.Blocks {
			for _, p := range b.Ports {
				if p.Watch {
					ports = append(ports, b.Name+"."+p.Name)
				}
			}
		}
	}
	for _, robot := range list {
		ports = append(ports, robot.MotionRefs()...)
	}
	reply, err := s.history.At(ctx, history.AtRequest{System: st.System, Refs: ports, Time: at})
	if err != nil {
		return names // reported as missing
	}
	for _, ref := range ports {
		numbers := []string{ref}
		if n, list := reply.Length(ref); list {
			numbers = nil
			for i := range n {
				numbers = append(numbers, fmt.Sprintf("%s[%d]", ref, i))
			}
		}
		for _, name := range numbers {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// addSignals reads signals from the history, with a plot for each port.
func (s *Server) addSignals(ctx context.Context, r *share.Run, st *admin.Structure, names []string) error {
	units := map[string]string{}
	for _, b := range st.Blocks {
		for _, p := range b.Ports {
			units[b.Name+"."+p.Name] = p.Unit
		}
	}
	q := history.ReadRequest{System: st.System, From: clock.Time(r.Start), To: clock.Time(r.End), Points: sharedPoints}
	all := make([]*share.Signal, len(names))
	for i, name := range names {
		all[i] = share.NewSignal(name, "")
		all[i].Unit = units[all[i].Ref]
		q.Signals = append(q.Signals, history.Signal{Ref: all[i].Ref, Element: all[i].Element})
	}
	reply, err := s.history.ReadAtMost(ctx, q, sharedNumbers)
	if err != nil {
		return err
	}
	reply.Each(func(i int, times []int64, values []float64) {
		if len(times) > 0 {
			all[i].Times, all[i].Values = times, values
			r.Signals = append(r.Signals, all[i])
		}
	})
	r.PlotAll()
	return nil
}
