// Package wire is what drivers speak over: serial lines, TCP, UDP, CAN, and memory.
//
// A driver names its channel by an address, so that a system file chooses it:
//
//	serial:///dev/ttyUSB0?baud=115200&parity=even&stop=2    a serial line, 8 bits
//	tcp://192.168.0.10:10940                                a TCP connection
//	udp://192.168.0.12:49152                                datagrams to and from one address
//	can://can0                                              SocketCAN
//	slcan:///dev/ttyACM0?bitrate=500000                     an adapter of the Lawicel protocol on a serial line
//	can+udp://239.74.163.2:43113                            CAN frames in UDP multicast, as python-can writes them
//
// The other end, an emulator, uses
//
//	pty:///tmp/laser        a pseudo-terminal: the file is a serial line for the driver
//	tcp+listen://:10940     the first connection, and after its end the next one
//	udp+listen://:49152     answers the latest sender
//
// [New] makes a channel from its address. All channels have one interface, [Wire], so [Recorder], [Player] and [Injector] wrap any of them;
// they differ in what one call carries: any number of bytes, one datagram, or one CAN frame, which [Bus] writes and reads as [Frame].
//
// # In the control cycle
//
// All calls return at once: they move what is there, wait for nothing, and allocate nothing, whatever the other end does. There is
// no goroutine and no poller behind them. Open begins to open a channel; until it stands, calls return [ErrOpening]. A channel that
// is lost (unplugged, refused, closed by the other end) returns a [*Fault] that wraps [ErrLost] until Open is called again.
//
// One goroutine at a time uses a channel. Names of hosts are resolved when the channel is made, never later.
package wire
