// Package request dispatches requests: those that tools send to the processes of a system over the control plane (package
// admin/nats), and those that pages send to a console (package console).
//
//	transport ── Call ──► Table.Accept ─► size, method, role, slot ─┬─► answer: an Error with its Code
//	                                                               └─► goroutine: arguments, deadline, handler, JSON ─► answer
//
// A [Table] holds methods. [Method] and [Command] make one of a handler, whose arguments and result are Go types: a request with an
// unknown member or a value of another type never reaches it. [Systems] are the methods of running systems, which every process and
// every console has. The transports differ in how a request arrives and in what is put around the answer.
//
// # Goroutines
//
//	goroutine          started by  owner  bound                                 end
//	one for a request  goes        Table  MaxOpen and MaxUrgent of each sender  when it is answered, at the latest after its deadline
//	                                      or process (Slots)                    if the handler regards it; Table.Close waits for all
package request
