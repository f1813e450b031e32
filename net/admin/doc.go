// Package admin is the one way to look into a running system and to steer it: the command, scripts and consoles all
// use [System].
//
// [Local] is a system in this process. On the control plane, which is NATS, it is a micro service: [Listen] offers it at
// the [Hub] of its system on this host, or at a site's servers, and [Dial] and [DialAt] return it as a [Client], whatever
// processes and hosts it consists of. All behave the same: one conformance test runs on all.
// docs/reference/control-plane.md describes what goes over the wire.
//
// Values are those of JSON: bool, float64, int64 or uint64, string, []any and map[string]any. Whoever sets something
// is told at once what is wrong with it: the name, the value, what would be right.
package admin
