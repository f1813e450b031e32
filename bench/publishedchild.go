package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/shm"
)

// traffic is what source sends and sink receives.
type traffic struct {
	wires, bytes int
	period       time.Duration
}

// arguments returns the arguments of source and sink behind the system.
func (t traffic) arguments() []string {
	return []string{fmt.Sprint(t.wires), fmt.Sprint(t.bytes), t.period.String()}
}

// parseTraffic is the inverse of arguments.
func parseTraffic(arguments []string) (t traffic, err error) {
	if _, err = fmt.Sscan(arguments[0]+" "+arguments[1], &t.wires, &t.bytes); err == nil {
		t.period, err = time.ParseDuration(arguments[2])
	}
	return t, err
}

// source sends packets on a number of links, in each period, until it is interrupted: SYSTEM WIRES BYTES PERIOD.
func source(arguments []string) error {
	traffic, err := parseTraffic(arguments[1:])
	if err != nil {
		return err
	}
	transport, err := shm.New(arguments[0])
	if err != nil {
		return err
	}
	var senders []link.Sender
	for i := range traffic.wires {
		s, err := transport.Send(link.Spec{Name: fmt.Sprint("port", i), Size: traffic.bytes})
		if err != nil {
			return err
		}
		defer s.Close()
		senders = append(senders, s)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	osThread, _ := rt.Lock(rt.ThreadOptions{Priority: 60})
	defer osThread.Release()
	packet, sleeper, number := make([]byte, traffic.bytes), rt.Sleeper{}, uint64(0)
	for next := rt.Now(); len(stop) == 0; next += int64(traffic.period) {
		sleeper.SleepUntil(next)
		number++
		binary.LittleEndian.PutUint64(packet[8:], number)
		for _, s := range senders {
			_ = s.Send(packet)
		}
	}
	return nil
}

// sink receives the packets of source for a given time, and prints how many arrived, how many numbers are missing,
// and their age: SYSTEM TIME WIRES BYTES PERIOD.
func sink(arguments []string) error {
	length, err := time.ParseDuration(arguments[1])
	if err != nil {
		return err
	}
	traffic, err := parseTraffic(arguments[2:])
	if err != nil {
		return err
	}
	transport, err := shm.New(arguments[0])
	if err != nil {
		return err
	}
	var receivers []link.Receiver
	for i := range traffic.wires {
		r, err := transport.Receive(link.Spec{Name: fmt.Sprint("port", i), Size: traffic.bytes})
		if err != nil {
			return err
		}
		defer r.Close()
		receivers = append(receivers, r)
	}
	osThread, _ := rt.Lock(rt.ThreadOptions{Priority: 60})
	defer osThread.Release()
	ages, packet := make([]int64, 0, int(length/traffic.period)+1), make([]byte, traffic.bytes)
	lost, last := uint64(0), make([]uint64, traffic.wires)
	take := func(i int) {
		number := binary.LittleEndian.Uint64(packet[8:])
		if last[i] != 0 && number > last[i] {
			lost += number - last[i] - 1
		}
		last[i] = number
	}
	for end := time.Now().Add(length); time.Now().Before(end); {
		if stamp, err := receivers[0].Receive(packet, 2*time.Millisecond); err == nil {
			ages = append(ages, int64(stamp.Age))
			take(0)
		}
		for i := 1; i < traffic.wires; i++ {
			if _, ok := receivers[i].TryReceive(packet); ok {
				take(i)
			}
		}
	}
	if len(ages) == 0 {
		return errors.New("no packet arrived")
	}
	t := quantiles(ages)
	t["lost"] = float64(lost)
	for _, r := range receivers {
		t["packets"] += float64(r.State().Packets)
	}
	t.print()
	return nil
}
