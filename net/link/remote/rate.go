package remote

import "time"

const (
	Beat      = 100 * time.Millisecond // period of heartbeats of a carrier that states none
	SealBytes = tagBytes               // by which a sealed datagram is longer than a plain one
)

// PacketBytes returns how many bytes a packet of a size takes on a carrier of the given longest datagram, which adds frame bytes to each.
func PacketBytes(size, datagram, frame int) int {
	part := datagram - headBytes - tagBytes - dataBytes
	parts := max((size+part-1)/part, 1)
	return size + parts*(headBytes+tagBytes+dataBytes+frame)
}

// BeatBytes returns how many bytes a heartbeat takes, with a number of ends of links.
func BeatBytes(ends, datagram, frame int) int {
	room := max((datagram-headBytes-tagBytes-beatBytes)/endBytes, 1)
	beats := max((ends+room-1)/room, 1)
	return ends*endBytes + beats*(headBytes+tagBytes+beatBytes+frame)
}
