// The robot that the simulated console shows.
import urdf from "../../../../models/janus/janus.urdf?raw";
import type { BodyFrame, Robot } from "../lib/robots";

export function robotOf(system: string): Robot[] {
  if (system !== "janus") return [];
  const joints = [...urdf.matchAll(/<joint name="([^"]+)" type="(?:revolute|continuous)"/g)].map((m) => m[1] ?? "");
  return [{ name: "janus", urdf: URL.createObjectURL(new Blob([urdf], { type: "text/xml" })), joints, position: ["robot.position"], desired: ["generator.position"], contacts: [], move: "generator.moveTo" }];
}

/** A stand-in: the real console computes the frames of all bodies. */
export function transforms(q: number[]): BodyFrame[] {
  return q.map((a, i) => ({ name: `body${i + 1}`, p: [0, 0, 0.1 * (i + 1)], q: [0, 0, Math.sin(a / 2), Math.cos(a / 2)] }));
}

/** A stand-in: the real console solves the inverse kinematics. */
export function solve(q: number[]): { q: number[]; ok: boolean; why: string } {
  return { q, ok: true, why: "" };
}
