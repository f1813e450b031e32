// Package realtime gives a Go program real-time threads and process priority like those of sinew's own: scheduling by priority,
// processors, memory that is not swapped, and a loop at a fixed period that does not drift. Nothing else of sinew is needed.
//
//	_, notices := realtime.PrepareProcess(1)
//	thread, more := realtime.Lock(realtime.Options{Priority: 80, CPUs: []int{1}})
//	defer thread.Release()
//	for cycle := realtime.Every(time.Millisecond); ; {
//		slips := cycle.Wait()
//		…
//	}
//
// No function fails because a privilege is missing. Each request that the system does not grant returns a notice, a line with the
// reason and the remedy, and the program continues without it. Real-time scheduling exists on Linux; on other systems threads are
// locked and loops keep their period, and the requests return notices.
//
// The package starts no goroutine and has no state: Lock binds the calling goroutine to its thread. Code that must be punctual should not allocate, or
// the garbage collector should be off (debug.SetGCPercent(-1)) while it runs.
package realtime
