// Package history keeps the last minutes of a system's ports, for pages that look back.
//
//	taps of a system ──► tracks ──► values at a time, curves of a span
//	every n-th sample    one for each number
//
// A [Source] has values at times that have passed. [Live] is that of a system; it begins with the first page that asks for it, and grows until
// the system ends. It stays until a page asks for the next run of the system, so that a page can look at what led to the end; of more than two
// systems that have ended, the first to end is dropped. Of a running system it is dropped ten minutes after the last question. A log can be
// another source.
//
// A track holds 10,000 samples as they came, and of the time before, in spans of 25 ms, the last sample with the least and the greatest: a peak is not
// lost, and the value at a time is at most 25 ms old. A sample has 16 bytes and a span 32, so that ten minutes of 200 numbers at 1 kHz take 186 MB. Of
// more numbers each has a share of that: shorter curves as they came, and longer spans.
//
// Kept are numbers and booleans, and lists of them up to 256 elements; at most 4,096 ports, outputs first, and 4,096 numbers of a system. Its taps
// give at most 20,000 samples a second of all ports together: of more, every n-th.
//
// # Goroutines
//
//	goroutine  started by  owner  bound       end
//	keeping    begin       Live   1 a system  with the system, ten minutes after the last question, or with Histories.Close, which awaits all
//
// Samples come on goroutines of the systems.
package history
