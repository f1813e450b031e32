package fleet

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/record"
)

// slowSystem is a system whose processes answer when the test lets them.
type slowSystem struct {
	answers map[string]chan slowAnswer
	asked   chan string
	done    chan struct{}
}

type slowAnswer struct {
	statistics *record.RunStatistics
	err        error
}

func (s *slowSystem) ProcessNames() []string { return []string{"far", "near"} }
func (s *slowSystem) Done() <-chan struct{}  { return s.done }
func (s *slowSystem) Close() error           { return nil }

func (s *slowSystem) Process(ctx context.Context, name string) (admin.Process, *record.RunStatistics, error) {
	s.asked <- name
	p := admin.Process{Name: name, Host: "host of " + name}
	select {
	case a := <-s.answers[name]:
		return p, a.statistics, a.err
	case <-ctx.Done():
		return p, nil, ctx.Err()
	}
}

// ran is the answer of a process at a time in s, when its thread has run n times.
func ran(process string, at float64, n uint64) slowAnswer {
	s := record.NewRunStatistics("arm")
	s.Duration, s.Threads = at, []record.ThreadStatistics{{Name: process + "-main", Process: process, Activations: n}}
	s.Links = []link.State{{Name: "x", From: process, To: "control", Outgoing: true, Packets: n}}
	return slowAnswer{statistics: s}
}

// rig is a looker at one slow system, with a clock that the test turns.
type rig struct {
	*looker
	*slowSystem
	t     *testing.T
	clock time.Time
	shown []topSystem
	rates rates
}

func newRig(t *testing.T) *rig {
	r := &rig{t: t, clock: time.Unix(1000, 0), slowSystem: &slowSystem{answers: map[string]chan slowAnswer{"far": make(chan slowAnswer, 1), "near": make(chan slowAnswer, 1)},
		asked: make(chan string, 8), done: make(chan struct{})}}
	r.looker = newLooker(&live.Reach{}, nil)
	r.looker.list = func(context.Context) ([]string, error) { return []string{"arm"}, nil }
	r.looker.dial = func(context.Context, string) (topClient, error) { return r.slowSystem, nil }
	r.looker.orphans = func(string) []live.Orphan { return nil }
	r.looker.now = func() time.Time { return r.clock }
	t.Cleanup(r.looker.close)
	return r
}

// owes waits until the processes that owe an answer are these.
func (r *rig) owes(names ...string) {
	r.t.Helper()
	testkit.Await(r.t, fmt.Sprintf("%v owe an answer", names), func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		var owe []string
		for name, a := range r.known["arm"].processes {
			if !a.asked.IsZero() {
				owe = append(owe, name)
			}
		}
		slices.Sort(owe)
		return slices.Equal(owe, names)
	})
}

// refresh looks; it returns when the processes given owe an answer, or all have answered.
func (r *rig) refresh(late ...string) (page string) {
	r.t.Helper()
	passed := make(chan time.Time)
	ended := make(chan struct{})
	var list []topSystem
	var err error
	go func() {
		defer close(ended)
		list, err = r.look(r.t.Context(), passed)
	}()
	if len(late) > 0 {
		testkit.Await(r.t, "all answers are taken", func() bool { return len(r.answers["near"])+len(r.answers["far"]) == 0 })
		r.owes(late...)
		passed <- r.clock
	}
	<-ended
	if err != nil {
		r.t.Fatal(err)
	}
	r.rates, r.shown = ratesBetween(r.shown, list, r.rates), list
	var b strings.Builder
	writeTop(&b, list, r.rates)
	return b.String()
}

func (r *rig) has(page string, wanted ...string) {
	r.t.Helper()
	words := strings.Join(strings.Fields(page), " ")
	for _, w := range wanted {
		if !strings.Contains(words, w) {
			r.t.Errorf("top lacks %q:\n%s", w, page)
		}
	}
}

func TestTopKeepsTheValuesOfAProcessThatAnswersLate(t *testing.T) {
	r := newRig(t)
	r.answers["near"] <- ran("near", 1, 1000)
	page := r.refresh("far") // shows what there is, though one has never answered
	r.has(page, `arm near host of near – 0s`, `arm far – –, late`, `near-main 0 1000 Hz`, `process "far" has not answered for 0s: it has none yet`)

	r.answers["far"] <- ran("far", 1, 500)
	r.owes()
	r.answers["near"] <- ran("near", 2, 3000)
	r.answers["far"] <- ran("far", 2, 700)
	r.has(r.refresh(), `near-main 0 2000 Hz`, `far-main 0 350 Hz`)
	r.answers["near"] <- ran("near", 3, 5000)
	r.answers["far"] <- ran("far", 3, 900)
	r.has(r.refresh(), `near-main 0 2000 Hz`, `far-main 0 200 Hz 900`)

	for asked := len(r.asked); asked > 0; asked-- {
		<-r.asked
	}
	for k := range 3 { // it answers no question of these looks: its values age, and it is not asked again
		r.clock = r.clock.Add(time.Second)
		r.answers["near"] <- ran("near", float64(4+k), uint64(7000+2000*k))
		page = r.refresh("far")
		r.has(page, `near-main 0 2000 Hz`, `far-main 0 200 Hz 900`, fmt.Sprintf("arm far host of far – %ds, late", k+1),
			fmt.Sprintf(`process "far" has not answered for %ds: its values are %ds old`, k, k+1), "x far control sends 200 Hz")
	}
	asked := map[string]int{}
	for n := len(r.asked); n > 0; n-- {
		asked[<-r.asked]++
	}
	if asked["near"] != 3 || asked["far"] != 1 {
		t.Errorf("asked %v", asked)
	}

	r.answers["far"] <- slowAnswer{err: context.DeadlineExceeded} // its time is over: what it had stays
	r.owes()
	r.answers["near"] <- ran("near", 8, 12000)
	page = r.refresh("far")
	r.has(page, `far-main 0 200 Hz 900`, "3s, late")
	r.answers["far"] <- slowAnswer{err: errors.New(`process "far" is not there`)} // nothing is known of a process that has gone
	r.owes()
	r.answers["near"] <- ran("near", 9, 14000)
	r.answers["far"] <- slowAnswer{err: errors.New(`process "far" is not there`)}
	page = r.refresh()
	r.has(page, "arm far host of far away", `process "far" is not there`, "near-main")
	if strings.Contains(page, "far-main") {
		t.Errorf("top shows threads of a process that has gone:\n%s", page)
	}
}

func TestTopReachesASystemAgainThatHasEnded(t *testing.T) {
	r := newRig(t)
	r.answers["near"] <- ran("near", 1, 10)
	r.answers["far"] <- ran("far", 1, 10)
	r.has(r.refresh(), "near-main")
	close(r.done)
	r.looker.dial = func(context.Context, string) (topClient, error) { return nil, fs.ErrNotExist }
	if list, err := r.look(t.Context(), nil); len(list) != 0 || err != nil {
		t.Errorf("a system that has ended is shown: %v, %v", list, err)
	}
	r.systems = []string{"arm"}
	if _, err := r.look(t.Context(), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a named system that has ended gives %v", err)
	}
}

func TestTopFailsWhereNoProcessAnswers(t *testing.T) {
	r := newRig(t)
	for name, c := range r.answers {
		c <- slowAnswer{err: errors.New(name + " hides")}
	}
	if list, err := r.look(t.Context(), nil); len(list) != 0 || err == nil || !strings.Contains(err.Error(), "arm: far hides") || !strings.Contains(err.Error(), "near hides") {
		t.Errorf("got %v, %v", list, err)
	}
}

// Clipped values have a column of their own: the text of the state may be another problem.
func TestTopShowsValuesThatAnEncodingClips(t *testing.T) {
	s := record.NewRunStatistics("arm")
	s.Links = []link.State{{Name: "x", From: "near", To: "far", Outgoing: true, Stale: 2, Late: 3, Clipped: 4, Rejected: 5, Problem: "no receiver"}}
	var b strings.Builder
	writeTop(&b, []topSystem{{RunStatistics: s}}, rates{})
	words := strings.Join(strings.Fields(b.String()), " ")
	for _, w := range []string{"lost stale late clipped refused state", "– 0 2 3 4 5 no receiver"} {
		if !strings.Contains(words, w) {
			t.Errorf("top lacks %q:\n%s", w, b.String())
		}
	}
}
