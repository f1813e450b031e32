package udp_test

import (
	"encoding/binary"
	"fmt"
	"log"
	"time"

	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/remote"
	"github.com/sinew-robotics/sinew/net/link/udp"
)

// A robot sends a number to an operator that calls it. In practice they are processes on different hosts.
func Example() {
	robotIdentity, err := remote.NewIdentity()
	if err != nil {
		log.Fatal(err)
	}
	operatorIdentity, err := remote.NewIdentity()
	if err != nil {
		log.Fatal(err)
	}
	robot, err := remote.Open(udp.Carrier(), remote.Config{Name: "robot", Local: "127.0.0.1:0", Identity: robotIdentity})
	if err != nil {
		log.Fatal(err)
	}
	defer robot.Close()
	operator, err := remote.Open(udp.Carrier(), remote.Config{Name: "operator", Local: "127.0.0.1:0", Identity: operatorIdentity})
	if err != nil {
		log.Fatal(err)
	}
	defer operator.Close()

	toOperator, err := robot.Peer(remote.PeerConfig{Name: "operator", Key: operatorIdentity.Public()})
	if err != nil {
		log.Fatal(err)
	}
	toRobot, err := operator.Peer(remote.PeerConfig{Name: "robot", Key: robotIdentity.Public(), Address: robot.Addr().String()})
	if err != nil {
		log.Fatal(err)
	}
	spec := link.Spec{Name: "arm.position", Schema: "uint64 value\n", Size: 8}
	sender, err := toOperator.Send(spec)
	if err != nil {
		log.Fatal(err)
	}
	defer sender.Close()
	receiver, err := toRobot.Receive(spec)
	if err != nil {
		log.Fatal(err)
	}
	defer receiver.Close()

	packet := binary.LittleEndian.AppendUint64(nil, 42)
	if err := sender.Send(packet); err != nil { // the packet waits until the hosts are connected
		log.Fatal(err)
	}
	got := make([]byte, 8)
	stamp, err := receiver.Receive(got, 10*time.Second)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(binary.LittleEndian.Uint64(got), "is packet", stamp.Number)
	// Output: 42 is packet 1
}
