// Package diagram makes a net of blocks: blocks placed on threads and joined by links, checked as a whole, put into
// a static order and flattened into what each thread executes.
//
//	d := diagram.New("demo")
//	d.Thread(diagram.Thread{Name: "servo", Period: 10 * time.Millisecond})
//	d.Add("pid1", &pid, diagram.Place{Thread: "servo"})
//	d.Add("joint1", &joint, diagram.Place{Thread: "servo"})
//	diagram.Connect(d, &joint.Position, &pid.Sen)      // the compiler checks the type
//	d.Link("pid1.out -> joint1.voltage")               // by name, as in files
//	net, err := d.Build()                              // everything that is wrong, at once
//
// # Order
//
// Within a thread, blocks are sorted by data flow: whatever writes a port, or emits an event, runs before whatever
// reads it. Where the flow leaves a choice the order is that of Add. The two parts of a two-way block are sorted
// independently, Sense before Control. A loop is an error that names it, unless a link with a delay opens it: such a
// link carries what its source held at the end of the previous activation.
//
// # Between threads
//
// For each pair of threads that are linked there is one [Channel]: three slots and an atomic word. The sending
// thread publishes all it has for the other at the end of its activation, the receiving thread fetches all of it at
// the start of its own. So a thread sees one consistent set of foreign inputs, which does not change while it runs.
package diagram
