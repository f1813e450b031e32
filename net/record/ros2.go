package record

import "strings"

// The constants of MCAP profile ros2.
const (
	profile         = "ros2"
	library         = "sinew"
	schemaEncoding  = "ros2msg"
	messageEncoding = "cdr"
	qosKey          = "offered_qos_profiles"
)

// qos is the quality of service that ros2 bag offers when it plays a channel: keep the last 10, reliable, volatile,
// no deadlines. The numbers are those of ROS 2's rmw, as rosbag2 writes them; an unlimited duration is 2⁶³-1 ns.
const qos = `- history: 1
  depth: 10
  reliability: 1
  durability: 2
  deadline:
    sec: 9223372036
    nsec: 854775807
  lifespan:
    sec: 9223372036
    nsec: 854775807
  liveliness: 1
  liveliness_lease_duration:
    sec: 9223372036
    nsec: 854775807
  avoid_ros_namespace_conventions: false
`

// Topic returns the ROS 2 topic of a channel: joint1.position → /joint1/position.
func Topic(channel string) string { return "/" + strings.ReplaceAll(channel, ".", "/") }

// channelName returns the channel of a topic: /joint1/position → joint1.position.
func channelName(topic string) string {
	return strings.ReplaceAll(strings.TrimPrefix(topic, "/"), "/", ".")
}
