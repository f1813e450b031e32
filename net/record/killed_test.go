package record

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// killedLog is the environment variable with which TestKilledProcessLosesLittle writes to a file until it is killed.
const killedLog = "SINEW_TEST_KILLED_LOG"

// TestKilledProcessLosesLittle kills a recording process with SIGKILL at chosen moments, and reads the log.
func TestKilledProcessLosesLittle(t *testing.T) {
	if path := os.Getenv(killedLog); path != "" {
		recordForEver(t, path)
	}
	const tolerance = 150 * time.Millisecond // for a busy machine
	r := testkit.Rand(t)
	for range 4 {
		path := filepath.Join(t.TempDir(), "run.mcap")
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), killedLog+"="+path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		testkit.Await(t, "the log begins", func() bool { info, err := os.Stat(path); return err == nil && info.Size() > 0 })
		time.Sleep(time.Duration(1000+r.IntN(400)) * time.Millisecond)
		killed := time.Now()
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		log, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		_, values, err := log.Series("n")
		if err != nil || len(values) == 0 {
			t.Fatalf("%d samples, %v", len(values), err)
		}
		for i, v := range values {
			if v != float64(i) {
				t.Fatalf("sample %d has the value %v: there is a hole before it", i, v)
			}
		}
		if len(log.Damage()) == 0 {
			t.Error("the log claims to be complete")
		}
		_, last := log.Span()
		lost := killed.Sub(time.Unix(0, last))
		t.Logf("%d samples; the last %v are lost", len(values), lost.Round(time.Millisecond))
		if lost > WriteInterval+tolerance {
			t.Errorf("the last %v are lost, want at most %v", lost, WriteInterval)
		}
		log.Close()
	}
}

// recordForEver writes increasing numbers at the times of the clock.
func recordForEver(t *testing.T, path string) {
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	l := layoutFor[float64](t)
	id, _ := w.AddChannel("n", l)
	cdr := cdrOf(t, l, 0)
	for n := range uint32(1 << 31) {
		at := time.Now().UnixNano()
		if _, err := binary.Encode(cdr[4:], binary.LittleEndian, float64(n)); err != nil {
			t.Fatal(err)
		}
		if err := w.Write(Sample{Channel: id, LogTime: at, PublishTime: at, Sequence: n, CDR: cdr}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
}
