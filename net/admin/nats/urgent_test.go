package nats_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/admintest"
	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/admin/request"
)

// stuckReads is a system whose thread answers no request for a value, and whose catalogue of types panics.
type stuckReads struct {
	admin.Running
	asked chan struct{}
}

func (s stuckReads) Read(ctx context.Context, _ string) (admin.Reading, error) {
	s.asked <- struct{}{}
	<-ctx.Done()
	return admin.Reading{}, ctx.Err()
}

func (s stuckReads) Param(context.Context, string) (any, error) { panic("wanted") }

func TestUrgentRequestsAreAnsweredWhileAllOthersHang(t *testing.T) {
	ownFolder(t)
	s := stuckReads{admintest.Plant(t, "plant.source"), make(chan struct{}, 2*request.MaxOpen)}
	serve(t, "test", s)
	ctx, cancel := context.WithTimeout(context.Background(), testkit.Patience())
	defer cancel()
	c := dialed(t)(nats.Dial("test"))
	for range request.MaxOpen {
		go func() { _, _ = c.Read(ctx, "plant.source.out") }()
	}
	for range request.MaxOpen {
		<-s.asked
	}
	if err := c.Enable(ctx, "plant.source", false); err != nil {
		t.Errorf("disable: %v", err)
	}
	if err := c.Release(ctx, "plant.source.out"); err != nil {
		t.Errorf("release: %v", err)
	}
	if err := c.Stop(ctx); err != nil {
		t.Errorf("stop: %v", err)
	}
}

func TestAPanicWhileAnsweringEndsTheRequestAlone(t *testing.T) {
	ownFolder(t)
	serve(t, "test", stuckReads{admintest.Plant(t, "plant.source"), make(chan struct{}, 1)})
	ctx, cancel := context.WithTimeout(context.Background(), testkit.Patience())
	defer cancel()
	c := dialed(t)(nats.Dial("test"))
	if _, err := c.Param(ctx, "plant.source.x"); err == nil || !strings.Contains(err.Error(), "param: panic in test.main: wanted") {
		t.Errorf("error %v", err)
	}
	if _, err := c.Structure(ctx); err != nil {
		t.Errorf("the process does not answer after a panic: %v", err)
	}
}
