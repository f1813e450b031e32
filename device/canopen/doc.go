// Package canopen drives CANopen nodes, above all drives of the profile CiA 402, and emulates them.
//
// Protocol: CiA 301 (EN 50325-4), application layer; CiA 402 (IEC 61800-7-201), drives. An identifier of 11 bits is a function and the number of a
// node, from 1 to 127 (the predefined connection set):
//
//	000h        NMT command     to all      command, node (0: all)
//	080h        SYNC            to all
//	080h + node EMCY            from a node code (2), error register, manufacturer (5)
//	180h + node TPDO 1          from a node what is mapped; 280h, 380h, 480h: TPDO 2 to 4
//	200h + node RPDO 1          to a node   300h, 400h, 500h: RPDO 2 to 4
//	580h + node SDO             from a node command, index (2), subindex, data (4), or command, segment (7)
//	600h + node SDO             to a node
//	700h + node heartbeat       from a node state; 0: it has booted
//
// Numbers are little-endian.
//
// # As master
//
// [Master] commands and watches nodes, and reads and writes their objects. [Drives] is a device on top of it: axes with the facets for position,
// velocity, torque and current. It resets the communication of each node, checks that it is a drive, maps its PDOs, starts it, and from then on sends
// all commands and a SYNC in each exchange, which all drives answer. A drive has no power until it is commanded, and when the device is stopped, lost or
// faulty: the drives watch its heartbeat.
//
// # As node
//
// [Node] is a node with a [Dictionary] of objects: NMT, heartbeats, both SDO transfers, PDOs by SYNC or at intervals, EMCY. [Emulator] is drives made of
// it.
package canopen
