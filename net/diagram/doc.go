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
// independently, every Sense of a thread before any Control. A loop is an error that names it, unless a link with a delay opens it: such a
// link carries what its source held at the end of the previous activation.
//
// # Levels
//
// A [Group] may have levels. They decide the order of its members' parts: Sense from the lowest level up, Control from the
// highest down, after Scholl, Albiez and Gassmann 2001, section 2.2; and links between its members must follow them.
//
// # Between threads
//
// For each pair of threads that are linked there is one [exchange.Channel]: three slots and an atomic word. The sending
// thread publishes all it has for the other at the end of its activation, the receiving thread fetches all of it at
// the start of its own. So a thread sees one consistent set of foreign inputs, which does not change while it runs.
// A thread with two-way blocks does so in two phases, Sense and Control, with channels of their own: see [Phase].
// Links to other processes have an [exchange.Outlet] at one end and an [exchange.Inlet] at the other.
package diagram
