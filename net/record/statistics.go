package record

// StatisticsName is the attachment of a log that holds the [RunStatistics] as JSON.
const StatisticsName = "sinew/statistics.json"

// RunStatistics is what a run tells of itself at the end of its log.
type RunStatistics struct {
	System     string             `json:"system"`
	Duration   float64            `json:"duration_s"` // of the system's time
	Wall       float64            `json:"wall_s"`     // of the wall clock
	Virtual    bool               `json:"virtual"`    // in virtual time lateness means nothing
	Threads    []ThreadStatistics `json:"threads"`
	Links      []LinkStatistics   `json:"links"`       // to and from other processes
	Faults     []string           `json:"faults"`      // blocks that are in error, and why
	FaultCount uint64             `json:"fault_count"` // how often blocks fell in error, reset since or not
	Warnings   []string           `json:"warnings"`    // blocks that rest because an input has no data
	Units      map[string]string  `json:"units"`       // of the ports that have one, by "block.port"
}

// ThreadStatistics is what one thread has done.
type ThreadStatistics struct {
	Name        string           `json:"name"`
	Process     string           `json:"process,omitempty"` // of a system of several, as is its host
	Host        string           `json:"host,omitempty"`
	Period      float64          `json:"period_s"` // 0: triggered
	Priority    int              `json:"priority"`
	Activations uint64           `json:"activations"`
	Slips       uint64           `json:"slips"`
	PageFaults  int64            `json:"page_faults"`
	LostSamples uint64           `json:"lost_samples"`
	Jitter      Distribution     `json:"jitter"`
	Cycle       Distribution     `json:"cycle"`
	Follow      string           `json:"follow,omitempty"` // thread whose time and phase it keeps
	Pace        *PaceStatistics  `json:"pace,omitempty"`   // how well, where that is in another process
	Steps       []StepStatistics `json:"steps"`            // in the order of execution
}

// PaceStatistics is how well a thread keeps time with one in another process.
type PaceStatistics struct {
	Locked bool         `json:"locked"`  // the grids are together; else it runs free
	Heard  float64      `json:"heard_s"` // since the leader was heard; -1: never
	Losses uint64       `json:"losses"`  // how often the leader or the lock was lost
	Shift  float64      `json:"shift_s"` // its time minus the leader's: 0 unless one of them started anew
	Phase  Distribution `json:"phase"`   // distance of the grids at each beat while locked
}

// LinkStatistics is what the end in this process knows of a link to or from another one.
type LinkStatistics struct {
	Name      string  `json:"name"` // of its source, block.port
	From      string  `json:"from"` // process of the source
	To        string  `json:"to"`   // processes of the receivers
	Outgoing  bool    `json:"outgoing"`
	Connected bool    `json:"connected"`
	Packets   uint64  `json:"packets"`  // sent, or received
	Lost      uint64  `json:"lost"`     // never came, or were refused
	Stale     uint64  `json:"stale"`    // came late or twice, and were dropped
	Rejected  uint64  `json:"rejected"` // came from a stranger, or malformed
	Age       float64 `json:"age_s"`    // since the newest was sent, at a receiving end; 0 before it
	Problem   string  `json:"problem,omitempty"`
}

// Distribution is a histogram of durations in nanoseconds.
type Distribution struct {
	P50     int64    `json:"p50_ns"`
	P99     int64    `json:"p99_ns"`
	P999    int64    `json:"p999_ns"`
	Max     int64    `json:"max_ns"`
	Buckets []Bucket `json:"buckets"`
}

// Bucket counts the durations from From to To nanoseconds.
type Bucket struct {
	From  int64  `json:"from_ns"`
	To    int64  `json:"to_ns"`
	Count uint64 `json:"count"`
}

// StepStatistics is what one entry of a thread's order costs. Begin and End belong to the last measured cycle.
type StepStatistics struct {
	Block    string `json:"block"`
	Part     string `json:"part"`
	Timeouts uint64 `json:"timeouts,omitempty"` // how often it began to rest because an input had no data
	Begin    int64  `json:"begin_ns"`
	End      int64  `json:"end_ns"`
	P50      int64  `json:"p50_ns"`
	P99      int64  `json:"p99_ns"`
	Max      int64  `json:"max_ns"`
}
