// The robot of the simulated systems.
import urdf from "../../../../models/janus/janus.urdf?raw";
import type { BodyFrame, Preview, Robot, RobotMethods } from "../lib/robots";
import type { MockSystem } from "./system";

export function robotOf({ name, silent }: MockSystem): Robot[] {
  if (name !== "janus") return [];
  const joints = [...urdf.matchAll(/<joint name="([^"]+)" type="(?:revolute|continuous)"/g)].map((m) => m[1] ?? "");
  return [{ name: "janus", urdf: URL.createObjectURL(new Blob([urdf], { type: "text/xml" })), joints, position: silent ? [] : ["robot.position"], desired: ["generator.position"], contacts: [], move: "generator.moveTo", groups: [{ name: "shoulder", joints: [joints[0] ?? ""], move: "generator1.moveTo" }] }];
}

/** Placeholder frames; the real console computes the frames of all bodies. */
export function transforms(q: number[]): BodyFrame[] {
  return q.map((a, i) => ({ name: `body${i + 1}`, p: [0, 0, 0.1 * (i + 1)], q: [0, 0, Math.sin(a / 2), Math.cos(a / 2)] }));
}

const reach = 0.75; // m

/** Returns q unchanged, with the reason of package robot/ik for a target far away; the real console solves the inverse kinematics. */
export function solve({ q, pose: { p: [x = 0, y = 0, z = 0] } }: RobotMethods["ik"]["args"]): RobotMethods["ik"]["result"] {
  const by = Math.hypot(x, y, z) - reach;
  const miss = by.toPrecision(3);
  return { q, ok: by <= 0, why: by <= 0 ? "" : `ik: the target is out of reach by ${miss} m; the nearest configuration misses it by ${miss} m and 0 rad` };
}

/** Returns a straight motion through the goals from 0; the real console plans by the law of the block that moves the robot. */
export function preview(goals: number[][], times: number[]): Preview {
  const answer: Preview = { law: "minimum jerk", ends: [], times: [0], q: [goals[0]?.map(() => 0) ?? []] };
  let [end, from] = [0, answer.q[0] ?? []];
  for (const [i, goal] of goals.entries()) {
    const duration = times[i] ?? 1;
    for (let k = 1; k <= 20; k++) {
      answer.times.push(end + (duration * k) / 20);
      answer.q.push(goal.map((q, j) => (from[j] ?? 0) + ((q - (from[j] ?? 0)) * k) / 20));
    }
    answer.ends.push((end += duration));
    from = goal;
  }
  return answer;
}
