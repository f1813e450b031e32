// Package console serves the operator's console: pages in a browser that show running systems and steer them.
//
//	browser ── HTTP ──────► login, pages, robot files, widgets
//	browser ── WebSocket ─► NATS server ─► request.Table ─► methods ─┬─► systems ─► admin.System
//	                                                                 ├─► watch, robots, recordings
//	                                                                 └─► files
//
// This package has the HTTP server, the WebSocket, and the methods that pages may ask for. Package net/admin/request dispatches their requests;
// it has the methods of running systems, which the control plane also has. The rest is in packages of its own
// (console/sessions, turns, systems, watch, history, robots, plans, coach, files, recordings, share), which name what they need of each other in small interfaces.
//
// A person signs in with the token that the address of [Server.URL] holds, or with one of [Options.Users], and has a role: view, tune,
// drive or own. Each page is a session of its own. docs/reference/console-protocol.md describes what pages send and receive.
//
// Real-time threads are reached through package admin only: by requests, and by taps whose samples are lost rather than waited for.
//
// Limits: requests of 1 MiB, answers of 8 MiB, HTTP headers of 16 KiB within 5 s, requests within 10 s; the last 1,000 events. Of one user 2 reads of curves and
// 1 page to share are worked on at once, of all users 4 and 2; package plans has the limits of plans.
//
// # Goroutines
//
//	goroutine            started by        owner          bound                 end
//	HTTP server          Open              Server         1                     Server.Close
//	connections          net/http          HTTP server    sessions.Listener     with the connection
//	WebSocket relay      serveNATS         serveNATS      1 a WebSocket         when either side closes
//	sessions             Open              Server         1                     Server.Close
//	systems              Open              Server         1                     Server.Close
//	conditions           Open              Server         1                     Server.Close
//	one for a condition  followConditions  conditions     1 a system            when it is answered; Server.Close waits for it
//	a system's watches   goes              systems        1 a system            after its watches follow it; Server.Close waits for it
//	a system's history   goes              Server         1 a system            when its history was read; Server.Close waits for it
//	one for a request    goes              request.Table  request.Slots a page  when it is answered; Server.Close waits for it
package console
