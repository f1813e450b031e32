package main

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/remote"
	"github.com/sinew-robotics/sinew/net/link/tcp"
	"github.com/sinew-robotics/sinew/net/link/udp"
)

const (
	hostBytes = 1024
	hostWait  = 100 * time.Millisecond
)

// hostChild runs one of the two hosts: udp|tcp|insecure PRIVATE PUBLIC, then the arguments of peers/pingpong.h. Like a
// core's process, it has no garbage collection.
func hostChild(arguments []string) error {
	network, private, public, arguments := arguments[0], arguments[1], arguments[2], arguments[3:]
	pings := arguments[0] == "ping"
	names, addresses := [2]string{"pong", "ping"}, [2]string{hostAddresses[1], hostAddresses[0]}
	if pings {
		names, addresses = [2]string{"ping", "pong"}, hostAddresses
	}
	config := remote.Config{Name: names[0], Local: addresses[0] + ":7411", Insecure: network == "insecure", Pinned: true}
	var err error
	if config.Identity, err = remote.ParseIdentity(private); err != nil {
		return err
	}
	carrier := udp.Carrier()
	if network == "tcp" {
		carrier = tcp.Carrier()
	}
	host, err := remote.Open(carrier, config)
	if err != nil {
		return err
	}
	defer host.Close()
	key, err := remote.ParsePublicKey(public)
	if err != nil {
		return err
	}
	other := remote.PeerConfig{Name: names[1], Key: key}
	if pings {
		other.Address = addresses[1] + ":7411"
	}
	peer, err := host.Peer(other)
	if err != nil {
		return err
	}
	out, err := peer.Send(link.Spec{Name: "from-" + names[0], Size: hostBytes})
	if err != nil {
		return err
	}
	defer out.Close()
	in, err := peer.Receive(link.Spec{Name: "from-" + names[1], Size: hostBytes})
	if err != nil {
		return err
	}
	defer in.Close()
	runtime.LockOSThread()
	debug.SetGCPercent(-1)
	if !pings {
		return hostPong(out, in)
	}
	rounds, err := strconv.Atoi(arguments[2])
	if err != nil {
		return err
	}
	return hostPing(out, in, rounds)
}

func hostPong(out link.Sender, in link.Receiver) error {
	for packet := make([]byte, hostBytes); packet[0] != 'e'; {
		if _, err := in.Receive(packet, hostWait); err == nil {
			_ = out.Send(packet)
		}
	}
	time.Sleep(hostWait)
	return nil
}

// hostPing measures as peers/pingpong.h does.
func hostPing(out link.Sender, in link.Receiver, rounds int) error {
	packet, answer, sleeper := make([]byte, hostBytes), make([]byte, hostBytes), rt.Sleeper{Pinned: true}
	for begin := rt.Now(); !in.State().Connected || !out.State().Connected; time.Sleep(time.Millisecond) {
		if rt.Now()-begin > 10e9 {
			return fmt.Errorf("no link: %s", in.State().Problem)
		}
	}
	all := make([]int64, 0, rounds)
	for i := -100; i < rounds; i++ {
		sleeper.SleepUntil(rt.Now() + 200_000)
		binary.LittleEndian.PutUint32(packet[4:], uint32(i))
		begin := rt.Now()
		_ = out.Send(packet)
		for binary.LittleEndian.Uint32(answer[4:]) != uint32(i) {
			if _, err := in.Receive(answer, hostWait); err != nil {
				return fmt.Errorf("no answer to packet %d: %w", i, err)
			}
		}
		if i >= 0 {
			all = append(all, (rt.Now()-begin)/2)
		}
	}
	packet[0] = 'e'
	_ = out.Send(packet)
	time.Sleep(hostWait)
	quantiles(all).print()
	return nil
}
