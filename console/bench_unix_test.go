//go:build unix

package console_test

import (
	"fmt"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	gonats "github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

// cpu returns how much processor time this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkThousandSignals sends 60 frames a second of 1,000 signals for a while, and reports the share of a core that this
// takes above what the system takes alone: with the page's end of the WebSocket, which is in the same process.
func BenchmarkThousandSignals(b *testing.B) {
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprintf("s%d", i))
	}
	local := run(b, time.Second/60, names...)
	b.Run("in process", func(b *testing.B) { thousandSignals(b, local, names) })
	b.Run("over the control plane", func(b *testing.B) {
		b.Setenv("XDG_RUNTIME_DIR", b.TempDir())
		server, err := nats.Listen(nats.Identity{System: "test"}, local, nats.Address{})
		if err != nil {
			b.Fatal(err)
		}
		defer server.Close()
		client, err := nats.Dial("test")
		if err != nil {
			b.Fatal(err)
		}
		defer client.Close()
		thousandSignals(b, client, names)
	})
}

func thousandSignals(b *testing.B, sys admin.System, names []string) {
	page := open(b, sys).page("")
	share := func() float64 {
		const length = 3 * time.Second
		before := cpu()
		time.Sleep(length)
		return float64(cpu()-before) / float64(length) * 100
	}
	time.Sleep(time.Second)
	idle := share()
	var bytes, count atomic.Int64
	if _, err := page.Subscribe("c."+page.id+".frame.*", func(msg *gonats.Msg) {
		bytes.Add(int64(len(msg.Data)))
		count.Add(1)
	}); err != nil {
		b.Fatal(err)
	}
	var signals []m
	for _, name := range names {
		signals = append(signals, m{"ref": name + ".out"})
	}
	begin := time.Now()
	page.want("watch", m{"system": "test", "signals": signals})
	watching := time.Since(begin)
	time.Sleep(time.Second)
	frames := count.Load()
	b.ResetTimer()
	for b.Loop() {
		b.ReportMetric(share()-idle, "%core")
	}
	frames = count.Load() - frames
	b.ReportMetric(float64(frames)/b.Elapsed().Seconds(), "frames/s")
	b.ReportMetric(watching.Seconds()*1e3, "ms/watch")
	b.ReportMetric(float64(bytes.Load())/float64(count.Load()), "B/frame")
}
