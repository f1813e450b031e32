package realtime_test

import (
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/net/realtime"
)

// A loop of a program of one's own, at 1 kHz.
func Example() {
	thread, notices := realtime.Lock(realtime.Options{Priority: 80})
	defer thread.Release()
	_ = notices // what the system did not grant, with the remedies: for the log

	begin := time.Now()
	cycle := realtime.Every(time.Millisecond)
	instants := 0
	for instants < 20 {
		instants += 1 + cycle.Wait()
		// read sensors, calculate, command actuators
	}
	fmt.Println("20 periods take 20 ms:", time.Since(begin) >= 20*time.Millisecond)
	// Output:
	// 20 periods take 20 ms: true
}
