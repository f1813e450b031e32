package console

import (
	"context"

	"github.com/sinew-robotics/sinew/console/files"
	"github.com/sinew-robotics/sinew/console/plans"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/request"
)

// methods returns what pages may ask for: what every process of a system answers, too, and what only a console knows.
func (s *Server) methods() []request.Entry[page] {
	return append(request.Systems[page](s.find, callPatience),
		request.Method("systems", request.View, s.systems),
		request.Method("watch", request.View, s.watch),
		request.Command("unwatch", request.View, s.unwatch),
		request.Method("log", request.View, s.events),

		request.Method("history.span", request.View, ofSystem(s.history.Span)),
		request.Method("history.at", request.View, plain(s.history.At)),
		request.Method("history.read", request.View, plain(s.history.Read)).InTurn(s.reads.Take),

		request.Method("record.list", request.View, ofSystem(s.recordings.List)),
		request.Method("record.open", request.View, plain(s.recordings.Open)),
		request.Method("record.read", request.View, plain(s.recordings.Read)).InTurn(s.reads.Take),
		request.Method("robot", request.View, ofSystem(s.robots.List)),
		request.Method("fk", request.View, plain(s.robots.Forward)),
		request.Method("ik", request.View, plain(s.robots.Inverse)),
		request.Method("poses", request.View, plain(s.poses)),
		request.Method("preview", request.View, plain(s.robots.Preview)),

		request.Method("plan.list", request.View, plain(s.plans.List)),
		request.Method("plan.open", request.View, plain(s.plans.Open)),
		request.Method("plan.make", request.View, s.makePlan).Within(planPatience),
		request.Method("plan.grow", request.View, s.growPlan),
		request.Command("plan.cancel", request.View, s.cancelPlan),
		request.Command("plan.close", request.View, s.closePlan),
		request.Method("plan.reach", request.View, plain(s.plans.Reach)),
		request.Method("plan.check", request.View, plain(s.plans.Check)),
		request.Method("plan.distances", request.View, plain(s.plans.Distances)),
		request.Method("plan.slice", request.View, plain(s.plans.Slice)),
		request.Method("plan.scene", request.View, plain(s.plans.WriteScene)),
		request.Method("plan.time", request.View, plain(s.plans.Time)).Within(planPatience),
		request.Method("program.list", request.View, plain(s.plans.Programs)),
		request.Method("program.get", request.View, plain(s.program)),
		request.Method("program.put", request.Tune, s.putProgram),
		request.Method("program.compile", request.View, plain(s.plans.Compile)).Within(planPatience),

		request.Method("types", request.Tune, plain(s.files.Types)),
		request.Method("save", request.Tune, edit(s.files.Save)),
		request.Method("net.get", request.View, plain(s.files.Net)),
		request.Method("net.check", request.Tune, s.checkNet),
		request.Method("net.put", request.Tune, edit(s.files.PutNet)),
		request.Method("layout.get", request.View, ofSystem(s.files.Layouts)),
		request.Method("layout.put", request.Tune, edit(s.files.PutLayout)),
		request.Method("widgets", request.View, ofSystem(s.files.Widgets)),
		request.Method("panels.list", request.View, ofSystem(s.files.Panels)),
		request.Method("panels.get", request.View, plain(s.files.Panel)),
		request.Method("panels.put", request.Tune, edit(s.files.PutPanel)),
		request.Command("panels.remove", request.Own, func(ctx context.Context, c *call, a files.PanelRequest) error {
			return s.files.RemovePanel(ctx, c, a)
		}),

		request.Command("poses.discard", request.Drive, s.discardPoses),
		request.Command("start", request.Drive, s.start).Within(startPatience),
		request.Command("restart", request.Drive, s.restart).Within(startPatience),
	)
}

// checkNet checks an edited file in the name of its page: a newer check of the page replaces it, one of another page does not.
func (s *Server) checkNet(ctx context.Context, c *call, q files.NetRequest) (admin.Findings, error) {
	actor := c.Sender.actor
	actor.Page = c.Sender.ID
	return s.files.CheckNet(admin.WithActor(ctx, actor), q)
}

// makePlan plans a motion for a pane of a page, in place of the one that the pane asked for before.
func (s *Server) makePlan(ctx context.Context, c *call, q plans.Problem) (*plans.Reply, error) {
	return s.plans.Make(ctx, c.Sender.ID, &q)
}

// growPlan returns what the plan under way has tried so far.
func (s *Server) growPlan(ctx context.Context, c *call, q plans.PaneRequest) (*plans.GrowReply, error) {
	return s.plans.Grow(ctx, c.Sender.ID, q)
}

// cancelPlan ends the plan that a pane asked for.
func (s *Server) cancelPlan(_ context.Context, c *call, q plans.PaneRequest) error {
	return s.plans.Cancel(c.Sender.ID, q)
}

// closePlan frees the plan of a pane that was closed.
func (s *Server) closePlan(_ context.Context, c *call, q plans.PaneRequest) error {
	s.plans.Close(c.Sender.ID, q)
	return nil
}
