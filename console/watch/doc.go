// Package watch sends pages what is new at the ports that they watch.
//
//	taps of a system ──► series ──► frame ──► page
//	every n-th sample    what no frame    up to 240
//	                     has carried      a second
//
// A watch lasts through restarts of its system, and ends with its page. While a page reads too slowly it gets no frames, and its series
// are thinned out: of numbers the extremes stay, and what is missing is counted.
//
// Limits of a page: 64 watches, 4,096 signals. Of a watch: 64,000 samples a second, beyond which signals are thinned out at the tap, and 65,536
// samples in a frame.
//
// # Goroutines
//
//	goroutine     started by  owner    bound      end
//	frames        begin       Watches  1 a watch  with the watch; Watches.Close ends and awaits all
//	first values  begin       Watches  1 a watch  when the values that ports had before their first sample are read
//
// Samples come on goroutines of the systems.
package watch
