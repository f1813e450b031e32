// Package hierarchy builds nets as hierarchies of modules, after the modular controller architecture MCA of K.-U.
// Scholl, J. Albiez and B. Gassmann (Third Real-Time Linux Workshop, Milan 2001).
//
//	h := hierarchy.New("walker", 1) // one level of parts
//	legs := h.Part(0, diagram.Thread{Name: "legs", Period: 4 * time.Millisecond}, 1)
//	leg := legs.Group(0, "left", 2) // two levels
//	servos := leg.Module(0, "servos", &Servos{}, diagram.Place{})
//	kinematics := leg.Module(1, "kinematics", &Kinematics{}, diagram.Place{})
//	leg.Edge(servos.SensorOut(), kinematics.SensorIn())       // up: a whole vector
//	leg.Edge(kinematics.ControlOut(), servos.ControlIn())     // down
//	leg.Expose(kinematics.SensorOut().Pick("x", "z"))         // the group has the ports of a module
//	net, err := h.Build()                                     // all errors together
//
// The result is an ordinary net/diagram of blocks and links, and tools show it as such.
//
// # Modules
//
// A module is a block. The four vectors of MCA are its ports: sensor input and sensor output are the ports of its
// part Sense, control input and control output those of its part Control (the tag part:"…" of package block), in the
// order of the fields. So each element of a vector has a name, a unit and a description, which all tools show. Sense
// and Control share the struct. A block with only Step is a module that only senses.
//
// The changed flags of MCA are the NewData result of [block.In.Read] and the tag trigger:"yes", with which Sense or
// Control is executed only after new data; edges forward only what was written.
//
// # Groups and edges
//
// A group holds modules and groups on a declared number of levels, from 0, the lowest, and has four vectors itself: the elements of its members that
// [Group.Expose] exposes. An edge joins two members of a group: a sensor output to the sensor input of a higher
// level, or a control output to the control input of a lower level. It carries a whole vector, a part of it
// ([Vector.Range]), or chosen elements in any order ([Vector.Pick]); if an element is a list, a part of the list can
// be chosen.
//
// # Order
//
// Sense of a group is Sense of its members, level by level from the lowest up; Control of a group is Control of its
// members, level by level from the highest down. Members of one level run in the order in which they were added. A
// nested group runs as a unit.
//
// # Parts
//
// A part is a group with its own thread. Its cycle has the four published steps (section 2.3): pass all data from and to
// lower parts, Sense, pass all data from and to higher parts, Control. Values that Control has written for lower parts leave at
// once; the wait for the period lies between that and what they have for this part. So an edge between parts carries the newest value,
// as published, not that of a tick: across parts, results depend on which ran first. Parts have levels and
// edges like the members of a group. The link that carries an edge between parts follows from their places: [diagram.Thread].Process selects the process of a part, the deployment its host. The
// same modules run in all of these, in real time, in virtual time and in a debugger.
//
// System files express the same with groups, levels and threads; see docs/howto/build-a-hierarchy.md.
package hierarchy
