// Package pb9 drives laser scanners PB9-11 of Hokuyo, and emulates them: 91 distances over 162°, up to 4 m.
//
// FAST-Robots (2003), section 6, describes the scanner; its protocol is proprietary. The one here is sinew's, which an adapter at a real scanner must speak;
// docs/reference/pb9.md describes each byte:
//
//	driver        scanner
//	start ──────▶
//	      ◀────── sectors, aperture, reach
//	      ◀────── number, status, distances: ten times a second
//	stop  ──────▶          Stop
//
// The protocol gives a scan no time. It counts as new when it has come whole: its first distances are then up to 100 ms old, and the time that
// its bytes take on the line.
package pb9
