// Package coach lets programs show poses in the console's 3-D view and drive simulators, through a TCP port and lines of numbers: those of
// the Robotics Library's demonstration programs (Rickert & Gaschler 2017), for which other programs were written.
// docs/reference/console-protocol.md describes the lines.
//
//	program ──► line ──┬─► pose ──► the newest of each thing, at most 60 times a second ──► pages
//	                   ├─► torques ──► inputs of a simulator, held until the connection ends
//	                   └─► question ──► joint positions
//
// Such programs know no login, so the port listens on loopback only, and lines of HTTP end a connection. Other lines that cannot be
// executed are ignored, as the library does; the first one of each connection is logged.
//
// Limits: 16 programs; lines of 64 KiB with 4,096 numbers, a longer one ends the connection; 4,096 frames of a robot. A program that does
// not read its answers for a second is disconnected.
//
// # Goroutines
//
//	goroutine             owner   bound   end
//	accept                Coach   1       Coach.Close
//	show                  Coach   1       Coach.Close
//	one for a connection  Coach   16      with its connection, a line of another protocol, or Coach.Close
package coach
