// Package sessions controls access to the console: users with roles, logins, connections, and the sessions of their open
// pages.
//
//	connection ──► Listener ──► Logins ──► Registry ──► Broker
//	               how many     which user which page   what it may publish and hear
//
// A [User] signs in with a token and has a [request.Role]; the browser gets a cookie that stands for a [Login]. Each page that it opens is
// a [Session]: a user of the NATS server in [Broker] with subjects of its own. Whatever belongs to a session ends
// through the function that [NewRegistry] is given, so this package needs to know nothing of watches, files or robots.
//
// Goroutines: those of the NATS server and of the console's own connection to it, which end with [Broker.Close]. The caller runs
// [Registry.Update] and [Refusals.Update] on a timer. All types are safe for concurrent use.
//
// Limits: 1,024 connections (or a quarter of the files that the process may open), half of them without a login, 32 of these from
// one address; 64 connections, 16 open pages, 16 logins and 32 sessions of one user; 10 wrong tokens at once and one a second
// from one address, 100 and ten a second from all.
package sessions
