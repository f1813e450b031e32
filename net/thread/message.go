package thread

import (
	"encoding/binary"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/clock"
)

// The kinds of requests in a mailbox.
const (
	askSetParams uint8 = iota
	askGetParam
	askFeed
	askRelease
	askRead
	askCall
	askReset
	askTap
	askUntap
	askExcite
	askUntapAll // a new front has attached and knows of no taps
)

// request is one message to a thread:
//
//	byte 0     kind
//	bytes 4–8  number, repeated in the answer
//	bytes 8–12 index of the block among the thread's
//	bytes 12–16 index of the port, parameter or operation
//	bytes 16–24 time of the system until which it may be served; 0: at any time
//	bytes 24–32 how long the value of askFeed, or the waveform of askExcite, lasts, ns; 0: until it is released
//	then the payload: a value in CDR, the parameters of askSetParams, the tap of askTap, or the waveform of askExcite;
//	without one askExcite renews what the port has
type request []byte

const requestHeader = 32

func (r request) kind() uint8     { return r[0] }
func (r request) number() uint32  { return binary.LittleEndian.Uint32(r[4:]) }
func (r request) block() int      { return int(binary.LittleEndian.Uint32(r[8:])) }
func (r request) item() int       { return int(binary.LittleEndian.Uint32(r[12:])) }
func (r request) payload() []byte { return r[requestHeader:] }

func (r request) until() clock.Time { return clock.Time(binary.LittleEndian.Uint64(r[16:])) }

func (r request) lasts() time.Duration { return time.Duration(binary.LittleEndian.Uint64(r[24:])) }

func (r request) setUntil(t clock.Time) { binary.LittleEndian.PutUint64(r[16:], uint64(t)) }

func (r request) setLasts(d time.Duration) { binary.LittleEndian.PutUint64(r[24:], uint64(d)) }

func newRequest(kind uint8, number uint32, block, item int, payload []byte) request {
	r := make(request, requestHeader+len(payload))
	r[0] = kind
	binary.LittleEndian.PutUint32(r[4:], number)
	binary.LittleEndian.PutUint32(r[8:], uint32(block))
	binary.LittleEndian.PutUint32(r[12:], uint32(item))
	copy(r[requestHeader:], payload)
	return r
}

// The kinds of records in a ring of replies.
const (
	answerOK    uint8 = iota // payload: a value in CDR, or nothing
	answerError              // payload: text
	noteFault                // a block has gone into error: number is its index, payload: text
	noteTrouble              // a block has trouble that passes, or none any more: number is its index, payload: text, empty at the end
	noteLine                 // text that a task of an activity writes
	noteRelease              // a value given by hand for a time is over: number is the block's index, payload: the port's, 4 bytes
)

// reply is one record from a thread: kind, number (bytes 4–8), payload.
type reply []byte

const replyHeader = 8

func (r reply) kind() uint8     { return r[0] }
func (r reply) number() uint32  { return binary.LittleEndian.Uint32(r[4:]) }
func (r reply) payload() []byte { return r[replyHeader:] }

// putReply writes a record; it is lost, and counted, where the front does not read.
func putReply(ring *lockfree.Ring, kind uint8, number uint32, payload []byte) {
	b := ring.Reserve(replyHeader + len(payload))
	if b == nil {
		return
	}
	b[0] = kind
	binary.LittleEndian.PutUint32(b[4:], number)
	copy(b[replyHeader:], payload)
	ring.Commit()
}

// putText writes a record with the first MaxText bytes of text.
func putText(ring *lockfree.Ring, kind uint8, number uint32, text string) {
	n := min(len(text), MaxText)
	b := ring.Reserve(replyHeader + n)
	if b == nil {
		return
	}
	b[0] = kind
	binary.LittleEndian.PutUint32(b[4:], number)
	copy(b[replyHeader:], text[:n])
	ring.Commit()
}

// sample is one record of the rings live and log: tap (4 bytes), count of the port (4), time (8), when the
// value was acquired or written (8), the value in CDR.
type sample []byte

const sampleHeader = 24

func (s sample) tap() int          { return int(binary.LittleEndian.Uint32(s)) }
func (s sample) count() uint32     { return binary.LittleEndian.Uint32(s[4:]) }
func (s sample) time() clock.Time  { return clock.Time(binary.LittleEndian.Uint64(s[8:])) }
func (s sample) since() clock.Time { return clock.Time(binary.LittleEndian.Uint64(s[16:])) }
func (s sample) cdr() []byte       { return s[sampleHeader:] }
