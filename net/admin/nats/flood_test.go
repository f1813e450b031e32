package nats_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gonats "github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/admintest"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

// TestFloodStaysOutside has 50 subscribers, some of which do not read, and clients that ask as fast as they can: each
// thing that waits is bounded, what is too much is refused or counted as lost, and the loop runs on. How late it becomes
// is measured by make bench, on a core of its own.
func TestFloodStaysOutside(t *testing.T) {
	ownFolder(t)
	plant := admintest.Plant(t, "plant.source")
	serve(t, "test", plant)
	ctx, cancel := context.WithTimeout(context.Background(), testkit.Patience())
	defer cancel()

	const subscribers, every = 50, 16 // 60 Hz of 1 kHz
	var samples atomic.Int64
	blocked := make(chan struct{})
	for i := range subscribers {
		c := dialed(t)(nats.Dial("test"))
		for _, ref := range []string{"plant.source.out", "plant.source.wide"} {
			if _, err := c.Tap(ctx, ref, every, func(admin.Sample) {
				if samples.Add(1); i%10 == 0 {
					<-blocked
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	f := addressFile(t, "test")
	deaf, err := gonats.Connect("", overSocket(f.Socket), gonats.Token(f.Token), gonats.NoReconnect(), gonats.ErrorHandler(func(*gonats.Conn, *gonats.Subscription, error) {})) // subscribes and never reads from its queue
	if err != nil {
		t.Fatal(err)
	}
	if _, err := deaf.SubscribeSync("sinew.>"); err != nil {
		t.Fatal(err)
	}

	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	begin, err := plant.Statistics(ctx)
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var asked, answered, refused atomic.Int64
	var clients sync.WaitGroup
	for range 4 {
		conn := bare(t, "test")
		inbox := gonats.NewInbox()
		if _, err := conn.Subscribe(inbox, func(m *gonats.Msg) {
			if answered.Add(1); m.Header.Get("Nats-Service-Error-Code") == "429" {
				refused.Add(1)
			}
		}); err != nil {
			t.Fatal(err)
		}
		clients.Go(func() { // asks without waiting for answers
			for {
				select {
				case <-stop:
					return
				default:
				}
				if asked.Add(1)-answered.Load() > 20000 {
					time.Sleep(time.Millisecond)
				}
				_ = conn.PublishRequest("sinew.test.main.read", inbox, []byte(`{"ref":"plant.source.out"}`))
			}
		})
	}
	quiet := dialed(t)(nats.Dial("test"))
	seen := samples.Load()
	for range 10 {
		time.Sleep(50 * time.Millisecond)
		if _, err := quiet.Structure(ctx); err != nil && ctx.Err() == nil {
			t.Logf("asked beside the flood: %v", err) // refused, not hanging
		}
	}
	testkit.Await(t, "samples, answers and activations beside the flood", func() bool {
		now, err := plant.Statistics(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return now.Threads[0].Activations > begin.Threads[0].Activations && samples.Load() > seen && answered.Load() > 0
	})
	end, err := plant.Statistics(ctx)
	if err != nil {
		t.Fatal(err)
	}
	close(stop)
	clients.Wait()
	close(blocked)
	runtime.GC()
	runtime.ReadMemStats(&after)
	deaf.Close()
	ran := end.Threads[0].Activations - begin.Threads[0].Activations
	took := time.Duration((end.Duration - begin.Duration) * float64(time.Second))
	t.Logf("%d requests, %d answered of which %d refused; %d samples; %d activations in %v; %+d kB", asked.Load(), answered.Load(), refused.Load(),
		samples.Load()-seen, ran, took, (int64(after.HeapInuse)-int64(before.HeapInuse))>>10)
	if ran == 0 || samples.Load() == seen || answered.Load() == 0 {
		t.Error("the flood stops the system")
	}
	if grown := int64(after.HeapInuse) - int64(before.HeapInuse); grown > 256<<20 {
		t.Errorf("the flood takes %d MB", grown>>20)
	}
}
