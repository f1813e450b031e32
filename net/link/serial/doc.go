// Package serial is the carrier serial: it carries links between two hosts over a serial line, such as a radio modem or a cable. The
// address of a host is that of its line, as serial:///dev/ttyUSB0?baud=57600; without baud it is 115200. A line has 8 bits, no parity,
// one stop bit and no flow control.
//
// On the line a datagram is followed by its checksum, FCS-32 (RFC 1662, section C.2), stuffed by COBS (Cheshire and Baker, Consistent
// Overhead Byte Stuffing, IEEE/ACM Transactions on Networking 7(2), 1999) and enclosed in bytes of zero. The receiver skips what does
// not pass the checksum and continues after the next zero, so noise costs only the datagrams it hits. They count as rejected.
//
// Old data do not pile up: one datagram is on its way and one waits; the writer paces them by the rate of the line, so that the kernel's
// buffer stays empty. A packet that finds no room waits in the sender, where a newer packet replaces it and is counted as lost. A
// datagram of a packet of n bytes has n + 88 bytes, and 8 to 10 more on the line: at 57,600 bit/s 36 packets of 64 bytes a second.
//
// If a line fails, for example because its adapter is unplugged, it is opened again every second.
//
// # Goroutines
//
//	goroutine  started by  owner  bound  end, both within Endpoint.Close
//	reader     Serve       line   1      when the line is closed
//	writer     Serve       line   1      when the line is closed
package serial
