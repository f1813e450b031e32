package metrics

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/record"
)

// scrape returns what a Prometheus server reads.
func scrape(t *testing.T, m *Server) (map[string]*dto.MetricFamily, string) {
	t.Helper()
	answer, err := http.Get("http://" + m.address.String() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		return nil, string(text)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return families, string(text)
}

func TestMetricsHoldTheStatistics(t *testing.T) {
	jitter := record.Distribution{Buckets: []record.Bucket{{From: 900, To: 1000, Count: 3}, {From: 1000, To: 1100, Count: 2}, {From: 2e9, To: 3e9, Count: 1}}}
	stats := &record.RunStatistics{System: "lab", Duration: 2, Faults: []string{"x"}, Threads: []record.ThreadStatistics{
		{Name: "main", Process: "a", Period: 0.001, Activations: 2000, Slips: 3, Late: 11, Jitter: jitter, Steps: []record.StepStatistics{
			{Block: `odd "name"`, Part: "Step", P50: 1500, P99: 2500, Max: 9000, Timeouts: 4}, {Block: "pid", Part: "Output"}, {Block: "pid", Part: "Update"}}},
		{Name: "main", Process: "b"}},
		Links: []link.State{{Name: "pid.out", From: "a", To: "b", Outgoing: true, Connected: true, Packets: 7, Lost: 1, Clipped: 5},
			{Name: "pid.out", From: "a", To: "b", Packets: 6, Stale: 8, Late: 9, Age: 0.25}}}
	ask := func(context.Context) (*record.RunStatistics, error) {
		if stats == nil {
			return nil, errors.New("wanted")
		}
		return stats, nil
	}
	m, err := Serve("127.0.0.1:0", ask)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	families, text := scrape(t, m)
	for _, line := range []string{
		`sinew_time_seconds{system="lab"} 2`,
		`sinew_blocks_in_error{system="lab"} 1`,
		`sinew_thread_activations_total{process="a",system="lab",thread="main"} 2000`,
		`sinew_thread_slips_total{process="a",system="lab",thread="main"} 3`,
		`sinew_thread_period_seconds{process="a",system="lab",thread="main"} 0.001`,
		`sinew_thread_lateness_seconds_bucket{process="a",system="lab",thread="main",le="1e-06"} 3`,
		`sinew_thread_lateness_seconds_bucket{process="a",system="lab",thread="main",le="2e-06"} 5`,
		`sinew_thread_lateness_seconds_bucket{process="a",system="lab",thread="main",le="1"} 5`,
		`sinew_thread_lateness_seconds_count{process="a",system="lab",thread="main"} 6`,
		`sinew_block_step_seconds{block="odd \"name\"",part="Step",process="a",quantile="0.99",system="lab",thread="main"} 2.5e-06`,
		`sinew_block_timeouts_total{block="odd \"name\"",part="Step",process="a",system="lab",thread="main"} 4`,
		`sinew_link_packets_total{end="sends",from="a",link="pid.out",system="lab",to="b"} 7`,
		`sinew_thread_late_total{process="a",system="lab",thread="main"} 11`,
		`sinew_link_stale_total{end="receives",from="a",link="pid.out",system="lab",to="b"} 8`,
		`sinew_link_late_total{end="receives",from="a",link="pid.out",system="lab",to="b"} 9`,
		`sinew_link_clipped_total{end="sends",from="a",link="pid.out",system="lab",to="b"} 5`,
		`sinew_link_age_seconds{end="receives",from="a",link="pid.out",system="lab",to="b"} 0.25`,
		`sinew_link_connected{end="receives",from="a",link="pid.out",system="lab",to="b"} 0`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
	if f := families["sinew_thread_activations_total"]; f == nil || f.GetType() != dto.MetricType_COUNTER || len(f.Metric) != 2 {
		t.Errorf("activations %v", f)
	}
	if h := families["sinew_thread_lateness_seconds"].Metric[0].Histogram; len(h.Bucket) < 19 {
		t.Errorf("%d buckets", len(h.Bucket))
	}

	if _, err := Serve(m.address.String(), ask); err == nil || !strings.Contains(err.Error(), "serve metrics") {
		t.Errorf("a port in use: %v", err)
	}
	stats = nil
	if _, text := scrape(t, m); !strings.Contains(text, "wanted") {
		t.Errorf("a system that fails: %s", text)
	}
}
