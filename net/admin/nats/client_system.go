package nats

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/request"
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
	for again := false; ; again = true {
		s, err := c.Structure(ctx)
		if err != nil {
			return nil, err
		}
		if m := c.homeOf(block); m != nil {
			return m, nil
		}
		absent := ""
		for _, p := range s.Processes {
			if p.Problem != "" {
				absent += "; " + p.Problem
			}
		}
		if absent == "" || again {
			var names []string
			for _, b := range s.Blocks {
				names = append(names, b.Name)
			}
			return nil, fmt.Errorf("no block %q%s%s", block, nearest.Hint(block, names), absent)
		}
		_ = c.within(c.findAll) // the process of the block may have waited for a processor
	}
}

// groupPort returns the port of a group that a reference names, where several processes have the blocks; else nil: a single process
// knows its groups.
func (c *Client) groupPort(ctx context.Context, ref string) (*admin.GroupPort, error) {
	dot := strings.LastIndexByte(ref, '.')
	if dot <= 0 || !c.isGroup(ctx, ref[:dot]) {
		return nil, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return admin.FindGroupPort(c.groups, ref)
}

// isGroup reports whether a name is that of a group whose blocks several processes may have.
func (c *Client) isGroup(ctx context.Context, name string) bool {
	if len(c.list()) == 1 || c.homeOf(name) != nil {
		return false
	}
	known := func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return admin.FindGroup(c.groups, name) != nil
	}
	if known() {
		return true
	}
	_, err := c.Structure(ctx)
	return err == nil && known()
}

func (c *Client) homeOf(block string) *member {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.members[c.blocks[block]]
}

// askAbout asks the process that has the block of a reference: a "block.name", or a block.
func (c *Client) askAbout(ctx context.Context, method, ref string, arguments, result any) error {
	block := ref
	if method != "set" && method != "reset" && method != "enable" {
		dot := strings.LastIndexByte(ref, '.')
		if dot <= 0 {
			return fmt.Errorf("%q: wants block.name", ref)
		}
		block = ref[:dot]
	}
	m, err := c.route(ctx, block)
	if err != nil {
		return err
	}
	return c.ask(ctx, m, method, arguments, result)
}

// Read implements [System].
func (c *Client) Read(ctx context.Context, ref string) (admin.Reading, error) {
	if g, err := c.groupPort(ctx, ref); g != nil {
		return g.Read(ctx, c)
	} else if err != nil {
		return admin.Reading{}, err
	}
	var r admin.Reading
	err := c.askAbout(ctx, "read", ref, request.Ref{Ref: ref}, &r)
	r.Value = admin.Number(r.Value)
	return r, err
}

// Feed implements [System].
func (c *Client) Feed(ctx context.Context, ref string, value any) error {
	if g, err := c.groupPort(ctx, ref); g != nil {
		return g.Feed(ctx, c, value)
	} else if err != nil {
		return err
	}
	return c.askAbout(ctx, "feed", ref, request.Feed{Ref: ref, Value: admin.Finite(value)}, nil)
}

// FeedFor implements [System].
func (c *Client) FeedFor(ctx context.Context, ref string, value any, lasts time.Duration) (began bool, err error) {
	if g, err := c.groupPort(ctx, ref); g != nil {
		return g.FeedFor(ctx, c, value, lasts)
	} else if err != nil {
		return false, err
	}
	seconds := lasts.Seconds()
	err = c.askAbout(ctx, "feed", ref, request.Feed{Ref: ref, Value: admin.Finite(value), For: &seconds}, &began)
	return began, err
}

// Excite implements [System].
func (c *Client) Excite(ctx context.Context, ref string, e *admin.Excitation, lasts time.Duration) (runs bool, err error) {
	if g, err := c.groupPort(ctx, ref); g != nil {
		return g.Excite(ctx, c, e, lasts)
	} else if err != nil {
		return false, err
	}
	err = c.askAbout(ctx, "excite", ref, request.Excite{Ref: ref, Excitation: e, For: lasts.Seconds()}, &runs)
	return runs, err
}

// Release implements [System].
func (c *Client) Release(ctx context.Context, ref string) error {
	if g, err := c.groupPort(ctx, ref); g != nil {
		return g.Release(ctx, c)
	} else if err != nil {
		return err
	}
	return c.askAbout(ctx, "release", ref, request.Ref{Ref: ref}, nil)
}

// Param implements [System].
func (c *Client) Param(ctx context.Context, ref string) (any, error) {
	var v any
	err := c.askAbout(ctx, "param", ref, request.Ref{Ref: ref}, &v)
	return admin.Number(v), err
}

// SetParams implements [System].
func (c *Client) SetParams(ctx context.Context, block string, values map[string]any) error {
	return c.askAbout(ctx, "set", block, request.Set{Ref: block, Named: admin.Finite(values).(map[string]any)}, nil)
}

// Call implements [System].
func (c *Client) Call(ctx context.Context, ref string, args []any, named map[string]any) (any, error) {
	var v any
	err := c.askAbout(ctx, "call", ref, request.Invocation{Ref: ref, Args: admin.Finite(args).([]any), Named: admin.Finite(named).(map[string]any)}, &v)
	return admin.Number(v), err
}

// Reset implements [System].
func (c *Client) Reset(ctx context.Context, block string) error {
	return c.askAbout(ctx, "reset", block, request.Ref{Ref: block}, nil)
}

// Enable implements [System].
func (c *Client) Enable(ctx context.Context, block string, on bool) error {
	if c.isGroup(ctx, block) {
		s, err := c.Structure(ctx)
		if err != nil {
			return err
		}
		return admin.EnableGroup(ctx, c, s.Blocks, block, on)
	}
	return c.askAbout(ctx, "enable", block, request.Enable{Ref: block, Value: &on}, nil)
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
			errs[i] = c.ask(ctx, m, method, request.None{}, results[i])
		})
	}
	asked.Wait()
	return all, results, errs
}

// Processes returns the processes of the system: their own descriptions, and a problem for those that do not answer.
func (c *Client) Processes(ctx context.Context) []admin.Process {
	all, _, errs := askAll[moment](ctx, c, "time")
	list := make([]admin.Process, len(all))
	for i, m := range all {
		list[i] = m.describe()
		if errs[i] != nil {
			list[i].Problem = errs[i].Error()
		}
	}
	return list
}

// describe returns what is known of a process.
func (m *member) describe() admin.Process {
	return admin.Process{Name: m.name, Host: m.Host, PID: m.PID, File: m.File, Version: m.Version}
}

// ProcessNames returns the names of the system's processes, sorted: those that were found, and those that they name.
func (c *Client) ProcessNames() (names []string) {
	for _, m := range c.list() {
		names = append(names, m.name)
	}
	return names
}

// Process returns the description of one process and its statistics. A process that was not found yet is looked for as long as one of the
// servers is out of reach, at most until the context ends.
func (c *Client) Process(ctx context.Context, name string) (admin.Process, *record.RunStatistics, error) {
	m := c.seek(ctx, name)
	s := new(record.RunStatistics)
	if err := c.ask(ctx, m, "statistics", request.None{}, s); err != nil {
		return m.describe(), nil, err
	}
	return m.describe(), s, nil
}

// seek returns a process, which it looks for if it was not found yet.
func (c *Client) seek(ctx context.Context, name string) *member {
	for {
		m := c.now(name)
		if m == nil {
			return &member{name: name}
		}
		if m.conn != nil {
			return m
		}
		awaited := slices.ContainsFunc(c.conns, func(conn *nats.Conn) bool { return !conn.IsConnected() && !conn.IsClosed() })
		_ = c.within(c.find)
		if m = c.now(name); m.conn != nil || !awaited || c.pause(ctx) != nil {
			return m
		}
	}
}

// Structure implements [System]. Processes that do not answer are listed with their problem.
func (c *Client) Structure(ctx context.Context) (*admin.Structure, error) {
	all, parts, errs := askAll[admin.Structure](ctx, c, "structure")
	if !slices.Contains(errs, nil) {
		return nil, errors.Join(errs...)
	}
	whole := &admin.Structure{System: c.system, Processes: []admin.Process{}, Threads: []admin.Thread{}, Blocks: []admin.Block{}, Links: []admin.Link{}, Calls: []admin.Call{},
		Groups: []admin.Group{}, Foreign: []admin.Foreign{}, Types: map[string]string{}, Warnings: []string{}, Notices: []admin.FileError{}, Unlinked: []string{}}
	for i, s := range parts {
		if errs[i] != nil {
			whole.Processes = append(whole.Processes, admin.Process{Name: all[i].name, Host: all[i].Host, Problem: errs[i].Error()})
			continue
		}
		if whole.PID == 0 {
			whole.File, whole.PID = s.File, s.PID
		}
		whole.Processes = append(whole.Processes, s.Processes...)
		whole.Threads = append(whole.Threads, s.Threads...)
		whole.Blocks = append(whole.Blocks, s.Blocks...)
		whole.Calls = append(whole.Calls, s.Calls...)
		whole.Warnings = append(whole.Warnings, s.Warnings...)
		whole.Notices = append(whole.Notices, s.Notices...)
		whole.Unlinked = append(whole.Unlinked, s.Unlinked...)
		whole.Watch = append(whole.Watch, s.Watch...)
		maps.Copy(whole.Types, s.Types)
		for _, g := range s.Groups {
			if known := admin.FindGroup(whole.Groups, g.Name); known != nil { // it has blocks in several processes
				known.Merge(g)
				continue
			}
			whole.Groups = append(whole.Groups, g)
		}
		if len(whole.Foreign) == 0 { // each process knows all
			whole.Foreign = append(whole.Foreign, s.Foreign...)
		}
		for _, l := range s.Links {
			if !slices.Contains(whole.Links, l) { // a link between processes is in the structures of both
				whole.Links = append(whole.Links, l)
			}
		}
	}
	for i := range whole.Blocks {
		for j, p := range whole.Blocks[i].Params {
			whole.Blocks[i].Params[j].Value = admin.Number(p.Value)
		}
	}
	slices.SortFunc(whole.Groups, func(a, b admin.Group) int { return strings.Compare(a.Name, b.Name) })
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range whole.Blocks {
		c.blocks[b.Name] = b.Process
	}
	c.groups = whole.Groups
	return whole, nil
}

// Statistics implements [System]. Processes that do not answer are missing.
func (c *Client) Statistics(ctx context.Context) (*record.RunStatistics, error) {
	_, parts, errs := askAll[record.RunStatistics](ctx, c, "statistics")
	if !slices.Contains(errs, nil) {
		return nil, errors.Join(errs...)
	}
	whole := record.NewRunStatistics(c.system)
	for i, s := range parts {
		if errs[i] != nil {
			whole.Faults = append(whole.Faults, errs[i].Error())
			continue
		}
		whole.Add(s)
	}
	return whole, nil
}

// Condition implements [System]. Processes that do not answer are among the problems.
func (c *Client) Condition(ctx context.Context) (*admin.Condition, error) {
	all, parts, errs := askAll[admin.Condition](ctx, c, "condition")
	if !slices.Contains(errs, nil) {
		return nil, errors.Join(errs...)
	}
	for i, m := range all {
		if errs[i] != nil {
			parts[i] = &admin.Condition{Problems: []string{errs[i].Error()}}
			continue
		}
		for k := range parts[i].Slips {
			parts[i].Slips[k].Process = m.name
		}
	}
	return admin.MergeConditions(parts...), nil
}

// Stop implements [System]: it ends all processes.
func (c *Client) Stop(ctx context.Context) error {
	_, _, errs := askAll[struct{}](ctx, c, "stop")
	return errors.Join(errs...)
}
