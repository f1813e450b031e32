package main

import (
	"encoding/binary"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/shm"
)

// linkBytes is the size of a packet: that of peers/pingpong.h with the header of CDR.
const linkBytes = 1024 + 4

// ping measures like peers/pingpong.h: SYSTEM ROUNDS spin|sleep.
func ping(arguments []string) error {
	system, mode := arguments[0], arguments[2]
	rounds, err := strconv.Atoi(arguments[1])
	if err != nil {
		return err
	}
	out, in, err := linkEnds(system, "there", "back")
	if err != nil {
		return err
	}
	defer out.Close()
	defer in.Close()
	packet, answer, sleeper := make([]byte, linkBytes), make([]byte, linkBytes), rt.Sleeper{Pinned: true}
	all := make([]int64, 0, rounds)
	for i := -100; i < rounds; i++ {
		if mode == "sleep" {
			sleeper.SleepUntil(rt.Now() + 200_000)
		}
		binary.LittleEndian.PutUint32(packet[8:], uint32(i))
		begin := rt.Now()
		_ = out.Send(packet)
		for !received(in, answer, mode) || binary.LittleEndian.Uint32(answer[8:]) != uint32(i) {
			if i < 0 && rt.Now()-begin > 10_000_000 { // the peer was not running yet
				_ = out.Send(packet)
				begin = rt.Now()
			}
		}
		if i >= 0 {
			all = append(all, (rt.Now()-begin)/2)
		}
	}
	packet[0] = 'e'
	_ = out.Send(packet)
	quantiles(all).print()
	return nil
}

// pong answers ping: SYSTEM spin|sleep.
func pong(arguments []string) error {
	out, in, err := linkEnds(arguments[0], "back", "there")
	if err != nil {
		return err
	}
	defer out.Close()
	defer in.Close()
	for packet := make([]byte, linkBytes); ; {
		if !received(in, packet, arguments[1]) {
			continue
		}
		if packet[0] == 'e' {
			return nil
		}
		_ = out.Send(packet)
	}
}

func received(in link.Receiver, packet []byte, mode string) bool {
	if mode == "spin" {
		_, ok := in.TryReceive(packet)
		return ok
	}
	_, err := in.Receive(packet, 10*time.Millisecond)
	return err == nil
}

// linkEnds opens the two links, in a process configured like a core's.
func linkEnds(system, to, from string) (link.Sender, link.Receiver, error) {
	transport, err := shm.New(system)
	if err != nil {
		return nil, nil, err
	}
	transport.Pinned = true
	runtime.LockOSThread()
	debug.SetGCPercent(-1)
	out, err := transport.Send(link.Spec{Name: to, Size: linkBytes})
	if err != nil {
		return nil, nil, err
	}
	in, err := transport.Receive(link.Spec{Name: from, Size: linkBytes})
	return out, in, err
}
