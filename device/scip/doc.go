// Package scip drives laser scanners of Hokuyo over SCIP 2.0, and emulates them.
//
// Protocol: Hokuyo, Communication Protocol Specification for SCIP 2.0 Standard, C-42-03320B (2006, amended 2008). The host sends a command
// and a line feed. The scanner answers with the command, a status of two characters, lines of data, and an empty line. All but the first end
// with a checksum.
//
//	driver                          scanner
//	QT ───────────────────────────▶          stop, so that what is still under way ends
//	   ◀─────────────────────────── 00
//	PP ───────────────────────────▶          what the scanner measures
//	   ◀─────────────────────────── DMIN, DMAX, ARES, AMIN, AMAX, AFRT, SCAN
//	MD 0044 0725 01 0 00 ─────────▶          measure without end, three characters a distance
//	   ◀─────────────────────────── 00
//	   ◀─────────────────────────── 99, time stamp, distances: one answer each turn
//	QT ───────────────────────────▶          Stop
//
// Scans have no time of their own here. The time stamp is in ms of a clock in the scanner that drifts; section 8.6 (TM) reads that clock only
// while nothing is measured, and the document does not fix which moment of a turn the stamp is of. A scan counts as new when it has come whole:
// its first beams are then older by the part of a turn from the first to the last beam, 67 ms for the URG-04LX at 600/min, and by the time that
// its characters take on the line.
//
// A scanner that runs in SCIP 1.1 is switched to SCIP 2.0, and one that adjusts its time is brought back.
package scip
