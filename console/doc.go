// Package console serves the operator's console: pages in a browser that show running systems and steer them.
//
//	browser ── HTTP ──► login, pages, robot files
//	browser ── WebSocket ──► NATS server in this process ──► methods ──► admin.System
//
// A [Server] is reached with the token that its address holds. A person who signs in has a role: he may look, tune or
// drive ([Role]). Each page that he opens is a session of its own: a user of the NATS server who may only speak on
// subjects of his own. What pages ask and get is described in docs/reference/console-protocol.md.
//
// Nothing here reaches real-time threads but what package admin offers: requests, and taps whose samples are lost
// rather than waited for.
package console
