#!/bin/sh
# The main job of sinew on one screen: Janus under both controllers in virtual time, then live, and a report of all.
# SINEW_DEMO_LIVE is how long the live part runs (default 20s; 0 leaves it out).
set -eu
cd "$(dirname "$0")/../.."
go build -o bin/sinew ./cmd/sinew
sinew=$PWD/bin/sinew
out=${SINEW_DEMO_OUT:-$PWD/out}
live=${SINEW_DEMO_LIVE:-20s}
mkdir -p "$out"

echo "1. A PID for each joint, 62 s in virtual time"
"$sinew" run examples/janus/janus.yaml --fast --record "$out/janus.mcap"
echo
echo "2. The same with the robot's model as feedforward"
"$sinew" run examples/janus/janus-feedforward.yaml --fast --record "$out/janus-feedforward.mcap"
echo
if [ "$live" != 0 ]; then
	echo "3. The PIDs live in real time, for $live (q or Ctrl-C ends it; bin/sinew browse in another terminal tunes it)"
	"$sinew" run examples/janus/janus.yaml --for "$live" --record "$out/janus-live.mcap"
	echo
fi
"$sinew" report "$out/janus.mcap" "$out/janus-feedforward.mcap" -o "$out/janus.html" \
	--reference "Santini and Lages (2011), two joints: 724 µs a cycle, of it 2 × 259 µs sensor and 2 × 150 µs actuator input and output on CAN; a monolithic program 331 µs a joint." \
	--reference "The feedforward controller cost 10 µs more a cycle there."
"$sinew" plot "$out/janus.mcap" 'controller.ref?' 'joint?.position' 'joint?.voltage_actuator' -o "$out/janus.png"
