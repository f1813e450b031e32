package record_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/schema"
)

// A program writes a log, reads a signal for a plot, and copies the log to a table.
func Example() {
	folder, err := os.MkdirTemp("", "record")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "run.mcap")

	number, err := schema.For[float64]()
	if err != nil {
		log.Fatal(err)
	}
	layout := number.Layout()
	w, err := record.Create(path)
	if err != nil {
		log.Fatal(err)
	}
	id, err := w.AddChannel("joint1.position", layout)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 3 {
		at := int64(i) * 10e6 // every 10 ms
		cdr, _ := layout.FromValue(0.5 * float64(i))
		if err := w.Write(record.Sample{Channel: id, LogTime: at, PublishTime: at, Sequence: uint32(i), CDR: cdr}); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	r, err := record.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	times, values, err := r.Series("joint1.position")
	fmt.Println(times, values, err)

	table := record.NewCSV(os.Stdout)
	if err := record.Copy(table, r, record.Filter{}); err != nil {
		log.Fatal(err)
	}
	if err := table.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// [0 0.01 0.02] [0 0.5 1] <nil>
	// time,joint1.position,lost
	// 0.000000000,0,0
	// 0.010000000,0.5,0
	// 0.020000000,1,0
}
