// Simulates the two joints of Janus: a mass with friction each, controlled by a PID that follows smooth moves between poses.
import type { Value } from "../lib/wire";
import type { Simulation } from "./system";

const step = 0.01; // s, as the real control cycle
const kept = 30; // s of history

interface State {
  ref: number[];
  refVelocity: number[];
  position: number[];
  velocity: number[];
  integral: number[];
  voltage: number[];
}

export class JanusSimulation implements Simulation {
  private states: State[] = [];
  private first = 0; // index of the oldest kept state

  sample(ref: string, t: number, params: Map<string, Value>): Value | undefined {
    const s = this.at(Math.max(0, Math.floor(t / step)), params);
    const joint = /^(?:joint|pid)(\d)\.(\w+)$/.exec(ref);
    if (joint) {
      const i = Number(joint[1]) - 1;
      return { position: s.position, velocity: s.velocity, voltage_actuator: s.voltage, out: s.voltage, displacement: s.position }[joint[2] ?? ""]?.[i];
    }
    const controller = /^controller\.(ref|sen|error)(\d)$/.exec(ref);
    if (controller) {
      const i = Number(controller[2]) - 1;
      const [r = 0, p = 0] = [s.ref[i], s.position[i]];
      return { ref: r, sen: p, error: r - p }[controller[1] as "ref" | "sen" | "error"];
    }
    switch (ref) {
      case "controller.act":
        return s.voltage;
      case "robot.position":
        return s.position;
      case "robot.velocity":
        return s.velocity;
      case "generator.position":
        return s.ref;
      case "generator.velocity":
        return s.refVelocity;
      case "generator.acceleration":
        return [0, 0];
    }
    return undefined;
  }

  private at(n: number, params: Map<string, Value>): State {
    if (n < this.first) {
      this.states = [];
      this.first = Math.max(0, n - 1);
    }
    while (this.first + this.states.length <= n) {
      if (this.states.length === 0 && n - this.first > kept / step) this.first = n - kept / step;
      this.states.push(next(this.states.at(-1), (this.first + this.states.length) * step, params));
      if (this.states.length > kept / step) {
        this.states.shift();
        this.first++;
      }
    }
    return this.states[n - this.first] ?? rest;
  }
}

const rest: State = { ref: [0, 0], refVelocity: [0, 0], position: [0, 0], velocity: [0, 0], integral: [0, 0], voltage: [0, 0] };

function next(s: State = rest, t: number, params: Map<string, Value>): State {
  const n: State = { ref: [], refVelocity: [], position: [], velocity: [], integral: [], voltage: [] };
  for (let i = 0; i < 2; i++) {
    const gain = (name: string): number => Number(params.get(`pid${i + 1}.${name}`) ?? 0);
    const [reference, referenceVelocity] = move(t + i);
    const e = reference - (s.position[i] ?? 0);
    const integral = (s.integral[i] ?? 0) + e * step;
    const u = gain("kp") * e + gain("ki") * integral - gain("kd") * 0.1 * ((s.velocity[i] ?? 0) - referenceVelocity);
    const voltage = Math.max(-24, Math.min(24, u));
    const velocity = (s.velocity[i] ?? 0) + step * (2.5 * voltage - 4 * (s.velocity[i] ?? 0));
    n.ref.push(reference);
    n.refVelocity.push(referenceVelocity);
    n.integral.push(integral);
    n.voltage.push(voltage);
    n.velocity.push(velocity);
    n.position.push((s.position[i] ?? 0) + step * velocity);
  }
  return n;
}

/** Position and velocity of smooth moves between -0.8 and 0.8 rad: 2 s each, followed by a pause of 1 s. */
function move(t: number): [number, number] {
  const u = t % 6;
  const s = Math.min(1, (u % 3) / 2);
  const [from, to] = u < 3 ? [-0.8, 0.8] : [0.8, -0.8];
  return [from + (to - from) * s * s * (3 - 2 * s), s < 1 ? ((to - from) * 6 * s * (1 - s)) / 2 : 0];
}
