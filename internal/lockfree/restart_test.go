package lockfree

import "testing"

// A reader that is in the middle of a copy, for which a busy machine gives it all the time, must not find the turn of its packet again in a queue that the
// writer has made again: the slot has another packet, and the copy may be torn.
func TestRestartedQueueReusesNoTurn(t *testing.T) {
	for name, restart := range map[string]func(q *Queue){
		"damage": func(q *Queue) { q.tail.Store(1 << 20) },
		"reset":  func(q *Queue) { q.Reset() },
	} {
		q := NewQueue(Memory(QueueSize(hostilePacket, hostileDepth)), hostilePacket, hostileDepth, DropOldest)
		q.Push(numbered(1))
		copied := q.turns[0] // the reader takes packet 0 and copies it
		q.head.Store(1)
		restart(q)
		for range 100 * len(q.slots) {
			q.Push(numbered(2))
			if copied.Load() == 1 {
				t.Fatalf("%s: the slot has its former turn and another packet", name)
			}
		}
	}
}
