// Package driver is what drivers share: the life of a device behind a channel.
//
// A driver embeds a [Session] and gives it a [Conversation], its protocol. The session is the device.Device: it opens the channel, steps
// the conversation, and recovers. When the channel is lost, the device reports an error or sends nothing for too long, the device is
// faulty:
//
//	fault ─▶ End, close the channel, Reset ─▶ pause ─▶ open the channel, converse ─▶ complete: running
//	                                           ▲                    │
//	                                           └──── fault ◀────────┘
//
// The pause is 50 ms, doubled after each failure up to 200 ms. Time is only that of the Steps: no clock is read.
//
// An [Emulator] is the other end of the channel, for tests and for users without the hardware.
package driver
