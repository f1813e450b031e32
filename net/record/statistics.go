package record

import (
	"maps"

	"github.com/sinew-robotics/sinew/net/link"
)

// StatisticsName is the attachment of a log that holds the [RunStatistics] as JSON.
const StatisticsName = "sinew/statistics.json"

// RunStatistics are the statistics of a run, stored at the end of its log.
type RunStatistics struct {
	System     string             `json:"system"`
	Duration   float64            `json:"duration_s"` // in the system's time
	Wall       float64            `json:"wall_s"`     // by the wall clock
	Virtual    bool               `json:"virtual"`    // virtual time: lateness has no meaning
	Threads    []ThreadStatistics `json:"threads"`
	Links      []link.State       `json:"links"`                 // to and from other processes
	Misses     []Miss             `json:"misses,omitempty"`      // threads that did not run at ticks, and values that came late
	MissesMore uint64             `json:"misses_more,omitempty"` // misses that are not listed
	Faults     []string           `json:"faults"`                // blocks in error, with the cause
	FaultCount uint64             `json:"fault_count"`           // how often blocks went into error, including those reset since
	Warnings   []string           `json:"warnings"`              // blocks that wait because an input has no data
	Units      map[string]string  `json:"units"`                 // units of ports, by "block.port"
	Shows      map[string]string  `json:"shows,omitempty"`       // what pictures take ports for, by "block.port": the tag show
	Watch      []string           `json:"watch,omitempty"`       // patterns of signals, of the key watch of the system file
}

// Add adds the statistics of another process of the same system.
func (s *RunStatistics) Add(part *RunStatistics) {
	s.Duration, s.Wall = max(s.Duration, part.Duration), max(s.Wall, part.Wall)
	s.Virtual = s.Virtual || part.Virtual
	s.Threads = append(s.Threads, part.Threads...)
	s.Links = append(s.Links, part.Links...)
	s.Faults = append(s.Faults, part.Faults...)
	s.FaultCount += part.FaultCount
	s.Warnings = append(s.Warnings, part.Warnings...)
	maps.Copy(s.Units, part.Units)
}

// NewRunStatistics returns the statistics of a system without processes.
func NewRunStatistics(system string) *RunStatistics {
	return &RunStatistics{System: system, Threads: []ThreadStatistics{}, Links: []link.State{}, Faults: []string{}, Warnings: []string{}, Units: map[string]string{}}
}

// ThreadStatistics are the statistics of one thread.
type ThreadStatistics struct {
	Name        string           `json:"name"`
	Process     string           `json:"process,omitempty"` // set in systems of several processes, like its host
	Host        string           `json:"host,omitempty"`
	Period      float64          `json:"period_s"` // 0: triggered
	Priority    int              `json:"priority"` // 1 to 99; 0: not real-time
	Activations uint64           `json:"activations"`
	Slips       uint64           `json:"slips"`            // periods in which it did not run because it was late
	Late        uint64           `json:"late"`             // values of other threads that were not there at their tick
	Hangs       uint64           `json:"hangs"`            // how often an activation exceeded the watchdog's time
	PageFaults  int64            `json:"page_faults"`      // after the first activation; -1 if not available
	LostSamples uint64           `json:"lost_samples"`     // for the log, that found no room in its ring
	Jitter      Distribution     `json:"jitter"`           // how late activations began
	Cycle       Distribution     `json:"cycle"`            // how long activations took
	Follow      string           `json:"follow,omitempty"` // the leader: thread whose time and phase it follows
	Pace        *PaceStatistics  `json:"pace,omitempty"`   // its synchronization, if the leader is in another process
	Measured    int64            `json:"measured_ns"`      // nominal time of the cycle that was measured last; threads with the same one measured one cycle
	Start       int64            `json:"start_ns"`         // of that cycle in this thread, on the clock of its process; 0: none was measured
	Steps       []StepStatistics `json:"steps"`            // in the order of execution
}

// PaceStatistics describes how well a thread follows a leader in another process.
type PaceStatistics struct {
	Locked bool         `json:"locked"`  // the thread is in phase with its leader; otherwise it runs freely
	Heard  float64      `json:"heard_s"` // since the leader's last tick; -1: none so far
	Losses uint64       `json:"losses"`  // how often the leader or the lock was lost
	Shift  float64      `json:"shift_s"` // its time minus the leader's: 0 unless one of them was restarted
	Phase  Distribution `json:"phase"`   // phase error at each of the leader's ticks while locked
}

// Distribution is a histogram of durations in nanoseconds.
type Distribution struct {
	P50     int64    `json:"p50_ns"` // median
	P99     int64    `json:"p99_ns"`
	P999    int64    `json:"p999_ns"` // 99.9 %
	Max     int64    `json:"max_ns"`
	Buckets []Bucket `json:"buckets"` // those that are not empty, in rising order
}

// Bucket counts the durations from From to To nanoseconds.
type Bucket struct {
	From  int64  `json:"from_ns"`
	To    int64  `json:"to_ns"`
	Count uint64 `json:"count"`
}

// StepStatistics are the costs of one entry in a thread's order. Begin and End are those of its first
// execution in the cycle that was measured last.
type StepStatistics struct {
	Block    string `json:"block"`
	Part     string `json:"part"`               // Step, Sense or Control
	Timeouts uint64 `json:"timeouts,omitempty"` // how often it stopped executing because an input had no data
	Begin    int64  `json:"begin_ns"`           // since the thread's start of the cycle, as End; both 0: it did not run in this cycle
	End      int64  `json:"end_ns"`
	Again    int64  `json:"again_begin_ns,omitempty"` // Begin of its last execution in the cycle, where there were several
	AgainEnd int64  `json:"again_end_ns,omitempty"`   // End of that execution
	P50      int64  `json:"p50_ns"`                   // of its execution time, as P99 and Max
	P99      int64  `json:"p99_ns"`
	Max      int64  `json:"max_ns"`
}
