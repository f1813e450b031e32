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

// killedLog is the environment variable with which TestKilledProcessKeepsWhatWasInTheFile writes to a file until it is killed.
const killedLog = "SINEW_TEST_KILLED_LOG"

// TestKilledProcessKeepsWhatWasInTheFile kills a recording process with SIGKILL at chosen moments, and reads the log.
func TestKilledProcessKeepsWhatWasInTheFile(t *testing.T) {
	if path := os.Getenv(killedLog); path != "" {
		recordForEver(t, path)
	}
	r := testkit.Rand(t)
	for range 4 {
		path := filepath.Join(t.TempDir(), "run.mcap")
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), killedLog+"="+path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kept := 0 // samples that were in the file while the process lived
		testkit.Await(t, "the log has 500 samples", func() bool {
			kept = len(samplesOf(path))
			return kept >= 500
		})
		time.Sleep(time.Duration(r.IntN(400)) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		values := samplesOf(path)
		if len(values) < kept {
			t.Errorf("%d samples, %d were in the file before the process was killed", len(values), kept)
		}
		for i, v := range values {
			if v != float64(i) {
				t.Fatalf("sample %d has the value %v: there is a hole before it", i, v)
			}
		}
		log, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(log.Damage()) == 0 {
			t.Error("the log claims to be complete")
		}
		log.Close()
	}
}

// samplesOf returns the samples of a log that is being written; none if it cannot be read yet.
func samplesOf(path string) []float64 {
	log, err := Open(path)
	if err != nil {
		return nil
	}
	defer log.Close()
	_, values, err := log.Series("n")
	if err != nil {
		return nil
	}
	return values
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
