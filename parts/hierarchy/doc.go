// Package hierarchy writes nets as hierarchies of modules, after the modular controller architecture MCA of K.-U. Scholl,
// J. Albiez and B. Gassmann (Third Real-Time Linux Workshop, Milan 2001).
//
//	h := hierarchy.New("walker")
//	legs := h.Part(0, diagram.Thread{Name: "legs", Period: 4 * time.Millisecond})
//	leg := legs.Group(0, "left")
//	servos := leg.Module(0, "servos", &Servos{}, diagram.Place{})
//	kinematics := leg.Module(1, "kinematics", &Kinematics{}, diagram.Place{})
//	leg.Edge(servos.SensorOut(), kinematics.SensorIn())       // up: a whole vector
//	leg.Edge(kinematics.ControlOut(), servos.ControlIn())     // down
//	leg.Expose(kinematics.SensorOut().Pick("x", "z"))         // a group looks like a module
//	net, err := h.Build()                                     // everything that is wrong, at once
//
// It is a way of writing a net/diagram and no second runtime: what comes out are blocks and links, and tools see them
// as such.
//
// # Modules
//
// A module is a block. What MCA calls its four vectors are its ports: sensor input and sensor output those of its part
// Sense, control input and control output those of its part Control (the tag part:"…" of package block), in the order
// of the fields. So each element of a vector has a name, a unit and a description, which all tools show. Sense and
// Control share the struct. A block with Step alone is a module that only senses.
//
// The changed flags of MCA are [block.In.Read]'s NewData and the tag trigger:"yes", with which Sense or Control is
// executed only when something new has come; edges pass on only what was written.
//
// # Groups and edges
//
// A group holds modules and groups on levels, and looks like a module itself: its vectors are what [Group.Expose]
// shows of its members'. An edge joins two members of a group: a sensor output to the sensor input of a higher level,
// or a control output to the control input of a lower level. It carries a whole vector, a part of it
// ([Vector.Range]), or chosen elements in any order ([Vector.Pick]); an element may be a list, of which a part may be
// chosen in turn.
//
// # Order
//
// Sense of a group is Sense of its members, level by level from the lowest up; Control of a group is Control of its
// members, level by level from the highest down. Members of one level follow one another in the order in which they
// were made. A group within a group takes its turn as a whole.
//
// # Parts
//
// A part is a group with a thread of its own. Its cycle has four steps: take what lower and higher parts have sent,
// Sense, Control, send. Parts have levels and edges as members of a group do, and an edge between parts is carried by
// whatever link their places ask for: [diagram.Thread].Process says in which process a part runs, the deployment on
// which host. The same modules run in all of these, in real time, in virtual time and in a debugger.
//
// In a system file the same is written with groups and threads; see docs/howto/build-a-hierarchy.md.
package hierarchy
