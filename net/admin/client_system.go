package admin

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/record"
)

// route returns the process that has a block.
func (c *Client) route(ctx context.Context, block string) (*member, error) {
	all := c.list()
	if len(all) == 1 {
		return all[0], nil // it knows best what is wrong with a name
	}
	if m := c.homeOf(block); m != nil {
		return m, nil
	}
	s, err := c.Structure(ctx)
	if err != nil {
		return nil, err
	}
	if m := c.homeOf(block); m != nil {
		return m, nil
	}
	var names []string
	for _, b := range s.Blocks {
		names = append(names, b.Name)
	}
	absent := ""
	for _, p := range s.Processes {
		if p.Problem != "" {
			absent += "; " + p.Problem
		}
	}
	return nil, fmt.Errorf("no block %q%s%s", block, nearest.Hint(block, names), absent)
}

func (c *Client) homeOf(block string) *member {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.members[c.blocks[block]]
}

// askAbout asks the process of a reference's block.
func (c *Client) askAbout(ctx context.Context, method string, q request, result any) error {
	block := q.Ref
	if method != "set" && method != "reset" && method != "enable" {
		dot := strings.LastIndexByte(q.Ref, '.')
		if dot <= 0 {
			return fmt.Errorf("%q: wants block.name", q.Ref)
		}
		block = q.Ref[:dot]
	}
	m, err := c.route(ctx, block)
	if err != nil {
		return err
	}
	return c.ask(ctx, m, method, q, result)
}

// Read implements [System].
func (c *Client) Read(ctx context.Context, ref string) (Reading, error) {
	var r Reading
	err := c.askAbout(ctx, "read", request{Ref: ref}, &r)
	r.Value = Number(r.Value)
	return r, err
}

// Feed implements [System].
func (c *Client) Feed(ctx context.Context, ref string, value any) error {
	return c.askAbout(ctx, "feed", request{Ref: ref, Value: finite(value)}, nil)
}

// FeedFor implements [System].
func (c *Client) FeedFor(ctx context.Context, ref string, value any, lasts time.Duration) (began bool, err error) {
	seconds := lasts.Seconds()
	err = c.askAbout(ctx, "feed", request{Ref: ref, Value: finite(value), For: &seconds}, &began)
	return began, err
}

// Release implements [System].
func (c *Client) Release(ctx context.Context, ref string) error {
	return c.askAbout(ctx, "release", request{Ref: ref}, nil)
}

// Param implements [System].
func (c *Client) Param(ctx context.Context, ref string) (any, error) {
	var v any
	err := c.askAbout(ctx, "param", request{Ref: ref}, &v)
	return Number(v), err
}

// SetParams implements [System].
func (c *Client) SetParams(ctx context.Context, block string, values map[string]any) error {
	return c.askAbout(ctx, "set", request{Ref: block, Named: finite(values).(map[string]any)}, nil)
}

// Call implements [System].
func (c *Client) Call(ctx context.Context, ref string, args []any, named map[string]any) (any, error) {
	var v any
	err := c.askAbout(ctx, "call", request{Ref: ref, Args: finite(args).([]any), Named: finite(named).(map[string]any)}, &v)
	return Number(v), err
}

// Reset implements [System].
func (c *Client) Reset(ctx context.Context, block string) error {
	return c.askAbout(ctx, "reset", request{Ref: block}, nil)
}

// Enable implements [System].
func (c *Client) Enable(ctx context.Context, block string, on bool) error {
	return c.askAbout(ctx, "enable", request{Ref: block, Value: on}, nil)
}

// askAll asks all processes at once. The results and errors are in the order of the processes.
func askAll[T any](ctx context.Context, c *Client, method string) (all []*member, results []*T, errs []error) {
	if !c.complete() {
		ctx, cancel := context.WithTimeout(ctx, dialTimeout)
		defer cancel()
		_ = c.find(ctx) // one that was away may be back
	}
	all = c.list()
	results, errs = make([]*T, len(all)), make([]error, len(all))
	var asked sync.WaitGroup
	for i, m := range all {
		asked.Go(func() {
			results[i] = new(T)
			errs[i] = c.ask(ctx, m, method, request{}, results[i])
		})
	}
	asked.Wait()
	return all, results, errs
}

// Processes returns the processes of the system: what they said of themselves, and the problem of those that do not answer.
func (c *Client) Processes(ctx context.Context) []Process {
	all, _, errs := askAll[moment](ctx, c, "time")
	list := make([]Process, len(all))
	for i, m := range all {
		list[i] = Process{Name: m.name, Host: m.Host, PID: m.PID, File: m.File, Version: m.Version}
		if errs[i] != nil {
			list[i].Problem = errs[i].Error()
		}
	}
	return list
}

// Structure implements [System]. Processes that do not answer are listed with their problem.
func (c *Client) Structure(ctx context.Context) (*Structure, error) {
	all, parts, errs := askAll[Structure](ctx, c, "structure")
	if !slices.Contains(errs, nil) {
		return nil, errors.Join(errs...)
	}
	whole := &Structure{System: c.system, Processes: []Process{}, Threads: []Thread{}, Blocks: []Block{}, Links: []Link{},
		Groups: []Group{}, Types: map[string]string{}, Warnings: []string{}}
	for i, s := range parts {
		if errs[i] != nil {
			whole.Processes = append(whole.Processes, Process{Name: all[i].name, Host: all[i].Host, Problem: errs[i].Error()})
			continue
		}
		if whole.PID == 0 {
			whole.File, whole.PID = s.File, s.PID
		}
		whole.Processes = append(whole.Processes, s.Processes...)
		whole.Threads = append(whole.Threads, s.Threads...)
		whole.Blocks = append(whole.Blocks, s.Blocks...)
		whole.Warnings = append(whole.Warnings, s.Warnings...)
		maps.Copy(whole.Types, s.Types)
		for _, g := range s.Groups {
			if !slices.ContainsFunc(whole.Groups, func(known Group) bool { return known.Name == g.Name }) { // it has blocks in several processes
				whole.Groups = append(whole.Groups, g)
			}
		}
		for _, l := range s.Links {
			if !slices.Contains(whole.Links, l) { // both ends tell of a link between processes
				whole.Links = append(whole.Links, l)
			}
		}
	}
	for i := range whole.Blocks {
		for j, p := range whole.Blocks[i].Params {
			whole.Blocks[i].Params[j].Value = Number(p.Value)
		}
	}
	slices.SortFunc(whole.Groups, func(a, b Group) int { return strings.Compare(a.Name, b.Name) })
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range whole.Blocks {
		c.blocks[b.Name] = b.Process
	}
	return whole, nil
}

// Statistics implements [System]. What a process does not tell is missing.
func (c *Client) Statistics(ctx context.Context) (*record.RunStatistics, error) {
	_, parts, errs := askAll[record.RunStatistics](ctx, c, "statistics")
	if !slices.Contains(errs, nil) {
		return nil, errors.Join(errs...)
	}
	whole := &record.RunStatistics{System: c.system, Threads: []record.ThreadStatistics{}, Links: []record.LinkStatistics{}, Faults: []string{},
		Warnings: []string{}, Units: map[string]string{}}
	for i, s := range parts {
		if errs[i] != nil {
			whole.Faults = append(whole.Faults, errs[i].Error())
			continue
		}
		whole.Duration, whole.Wall = max(whole.Duration, s.Duration), max(whole.Wall, s.Wall)
		whole.Virtual = whole.Virtual || s.Virtual
		whole.Threads = append(whole.Threads, s.Threads...)
		whole.Links = append(whole.Links, s.Links...)
		whole.Faults = append(whole.Faults, s.Faults...)
		whole.FaultCount += s.FaultCount
		whole.Warnings = append(whole.Warnings, s.Warnings...)
		for k, v := range s.Units {
			whole.Units[k] = v
		}
	}
	return whole, nil
}

// Stop implements [System]: it ends all processes.
func (c *Client) Stop(ctx context.Context) error {
	_, _, errs := askAll[struct{}](ctx, c, "stop")
	return errors.Join(errs...)
}
