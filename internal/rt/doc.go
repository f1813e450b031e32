// Package rt is the thin layer between a thread of sinew and the operating system: it locks a goroutine to its OS
// thread and requests real-time scheduling, locks memory, reads the clock, sleeps until an absolute instant and wakes
// a sleeping thread.
//
// No function fails because a privilege is missing. Requests that the system does not grant return notices, one
// readable line each with its remedy, and the thread continues without them:
//
//	thread, notices := rt.Lock(rt.ThreadOptions{Priority: 80, CPUs: []int{1}})
//	defer thread.Release()
//	sleeper := rt.Sleeper{Spin: 20 * time.Microsecond}
//	for next := rt.Now() + period; ; next += period {
//		sleeper.SleepUntil(next)
//		…
//	}
//
// [Start] schedules processes that are started in the same way.
//
// All of this is real on Linux. On other systems time, sleep and wake-up use Go's own timers, and requests return
// notices. Now, Sleeper.SleepUntil, Wake and ThreadFaults allocate nothing on Linux.
//
// # Goroutines
//
//	goroutine                      started by  owner  bound     end
//	the thread to start a process  Start       Start  1 a call  with the call
package rt
