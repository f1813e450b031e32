package plans

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/sinew-robotics/sinew/robot/planning"
)

// growth hands the trees of a plan under way to a page that looks at them. While no page looks, it costs the planner one atomic read in each iteration.
type growth struct {
	wanted atomic.Bool

	mu      sync.Mutex
	running bool
	looks   []chan Numbers
}

// begin and end enclose a plan.
func (g *growth) begin() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running = true
}

func (g *growth) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running = false
	for _, c := range g.looks {
		close(c)
	}
	g.looks = nil
	g.wanted.Store(false)
}

// publish hands edges to the pages that wait for them. The planner calls it in each iteration.
func (g *growth) publish(edges func() Numbers) {
	if !g.wanted.Load() {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	list := edges()
	for _, c := range g.looks {
		c <- list
	}
	g.looks = nil
	g.wanted.Store(false)
}

// next returns the edges as of the next iteration; ok is false when no plan is under way, or it ends before.
func (g *growth) next(ctx context.Context) (edges Numbers, ok bool) {
	g.mu.Lock()
	if !g.running || len(g.looks) >= mostLooks {
		g.mu.Unlock()
		return nil, false
	}
	c := make(chan Numbers, 1)
	g.looks = append(g.looks, c)
	g.wanted.Store(true)
	g.mu.Unlock()
	select {
	case edges, ok = <-c:
		return edges, ok
	case <-ctx.Done():
		return nil, false
	}
}

// PaneRequest names a pane of a page.
type PaneRequest struct {
	Pane string `json:"pane"`
}

// GrowReply holds what a plan under way has tried so far.
type GrowReply struct {
	Growing bool    `json:"growing"` // false: no plan is under way
	Tree    Numbers `json:"tree"`    // as in [Reply]
}

// Grow returns the trees or the roadmap of the plan that a pane waits for, as of the planner's next iteration. Where no plan is under way, or ctx ends, it
// returns a reply that is not Growing. It fails for a pane that is not open.
func (p *Plans) Grow(ctx context.Context, page string, q PaneRequest) (*GrowReply, error) {
	x, err := p.of(page, q.Pane)
	if err != nil {
		return nil, err
	}
	edges, ok := x.growth.next(ctx)
	return &GrowReply{ok, edges}, nil
}

// edges returns the edges of the planner's trees: the positions of a link at both ends of each, at most [mostEdges].
func (x *Planner) edges(link int) (list Numbers) {
	grower, ok := x.planner.(planning.Grower)
	if !ok {
		return nil
	}
	grower.Edges(func(from, to []float64) bool {
		a, b := x.hand(link, from), x.hand(link, to)
		list = append(append(list, a[:]...), b[:]...)
		return len(list) < 6*mostEdges
	})
	return list
}
