// Package coach lets programs show poses in the console's 3-D view and drive simulators, through a TCP port and lines of numbers: those of
// the Robotics Library's demonstration programs (Rickert & Gaschler 2017), for which other programs were written.
// docs/reference/console-protocol.md describes the lines.
//
//	program ──► line ──┬─► pose ──► the newest of each thing, at most 60 times a second ──► pages
//	                   ├─► torques ──► inputs of a simulator, renewed until the connection ends
//	                   └─► question ──► joint positions
//
// Such programs know no login, so the port listens on loopback only, connections of other users of this machine are refused, and lines
// of HTTP end a connection. The user is found in the kernel's table of sockets; systems other than Linux have none, and there every
// local user can drive through the port. Other lines that cannot be executed are ignored, as the library does; the first one of each
// connection is logged.
//
// Limits: 16 programs; another one takes the place of the one that has sent no line for the longest time and drives no robot. Lines of
// 64 KiB with 4,096 numbers, a longer one ends the connection; 4,096 frames of a robot. A program that does not read its answers for a
// second is disconnected. Systems hold torques for a second, which the port renews while a connection that has fed them lives.
//
// # Goroutines
//
//	goroutine             started by  owner  bound             end
//	accept                Open        Coach  1                 Coach.Close
//	show                  Open        Coach  1                 Coach.Close
//	one for a connection  accept      Coach  16                with its connection, a line of another protocol, or Coach.Close
//	renew                 drive       Coach  1 a driven robot  with the last connection that drives it, or Coach.Close
package coach
