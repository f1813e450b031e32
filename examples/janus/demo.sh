#!/bin/sh
# The main job of sinew: Janus under both controllers in virtual time, a report of both, then Janus live behind the console.
# SINEW_DEMO_LIVE is how long the live part runs: until it is ended at a terminal, else 20s; 0 leaves it out.
set -eu
cd "$(dirname "$0")/../.."
sinew=$PWD/bin/sinew
out=${SINEW_DEMO_OUT:-$PWD/out}
if [ -t 1 ]; then live=${SINEW_DEMO_LIVE:-10000h}; else live=${SINEW_DEMO_LIVE:-20s}; fi
mkdir -p "$out"

echo "1. A PID for each joint, 62 s in virtual time"
"$sinew" run examples/janus/janus.yaml --fast --record "$out/janus.mcap"
echo
echo "2. The same with the robot's model as feedforward"
"$sinew" run examples/janus/janus-feedforward.yaml --fast --record "$out/janus-feedforward.mcap"
echo
"$sinew" report "$out/janus.mcap" "$out/janus-feedforward.mcap" --published examples/janus/published.yaml -o "$out/janus.html"
"$sinew" plot "$out/janus.mcap" 'controller.ref?' 'joint?.position' 'joint?.voltage_actuator' -o "$out/janus.png"
if [ "$live" != 0 ]; then
	echo
	echo "3. Live, moving without end: open the console's address in a browser (q or Ctrl-C here ends it)"
	"$sinew" run examples/janus/janus.yaml --script examples/janus/endless.star --console --for "$live" --record "$out/janus-live.mcap"
fi
