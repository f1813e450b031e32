// Package rt is the thin layer between a thread of sinew and the operating system: it locks a goroutine to
// its OS thread and asks for real-time scheduling, locks memory, tells the time, sleeps until an absolute
// instant and wakes a sleeping thread.
//
// Nothing here fails because a privilege is missing. What the system does not grant comes back as notices,
// one human line each with its remedy, and the thread runs on with what it has:
//
//	thread, notices := rt.Lock(rt.Request{Priority: 80, CPUs: []int{1}})
//	defer thread.Release()
//	sleeper := rt.Sleeper{Spin: 20 * time.Microsecond}
//	for next := rt.Now() + period; ; next += period {
//		sleeper.SleepUntil(next)
//		…
//	}
//
// On Linux everything is real. Elsewhere time, sleep and wake-up work through Go's own timers, and requests
// are answered with notices. Now, Sleeper.SleepUntil, Wake and ThreadFaults allocate nothing on Linux.
package rt
