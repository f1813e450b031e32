// Package nats carries package admin over NATS: the control plane of a system.
//
// Package request dispatches the requests: here is what carries them.
//
// [Listen] offers a process as a micro service at the [Hub] of its system on this host, or at a site's servers. [Dial] and
// [DialAt] return the system as a [Client], whatever processes and hosts it consists of.
// docs/reference/control-plane.md describes what goes over the wire.
//
// # Goroutines
//
//	goroutine            started by       owner    bound                     end
//	accept               open             Hub      1                         Hub.Close
//	relay, one each way  accept, relay    Hub      2 for each connection,    when either side ends the connection
//	                                               at most hubClients
//	publisher            serve            Service  1                         Service.Close
//	one for a request    package request  Service  those of package request  when it is answered, or Service.Close
//	keeper               DialAt           Client   1                         Client.Close
//
// nats.go adds goroutines of its own for each connection; they end when the connection is closed.
package nats
