package rt

import "runtime"

// Start calls start on a thread that is scheduled as requested meanwhile. Processes that start starts inherit that, with all their
// threads and the processes that they start in turn; where threads have a real-time priority, their sleeps have no slack. Start returns a notice, with its remedy, for each request that the system did not
// grant, and the error of start. It panics if the priority or a processor number is out of range.
func Start(r ThreadOptions, start func() error) (notices []string, err error) {
	r.check("rt.Start")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread()
		var changed scheduling
		notices = changed.bequeath(r)
		err = start()
		if changed.restore() {
			runtime.UnlockOSThread()
		}
		// Otherwise the goroutine stays locked, so that the runtime ends the modified thread together with it.
	}()
	<-ended
	return notices, err
}
