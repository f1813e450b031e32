// Obstacles that a program has moved when the ghost is where it is drawn.

import * as THREE from "three";
import type { Obstacle, Quaternion } from "../../lib/plans";
import type { ProgramCarry } from "../../lib/programs";
import type { RobotModel } from "../robot/model";
import type { Placed } from "./drawn";

/** Returns the obstacles that a program has taken until a time in s, where they are then. */
export function carriedAt(carried: readonly ProgramCarry[], objects: readonly Obstacle[], time: number): Placed[] {
  return objects.flatMap((obstacle) => {
    const last = carried.findLast((c) => c.object === obstacle.name && c.from <= time);
    if (last === undefined) return [];
    return [time > last.to ? { obstacle, link: "", pose: last.left } : { obstacle, link: last.link, pose: last.grip }];
  });
}

/** Returns an obstacle where it is in the scene while the ghost is in its present pose. */
export function placed({ obstacle, link, pose }: Placed, ghost: Pick<RobotModel, "pose">): Obstacle {
  const hand = link === "" ? null : ghost.pose(link);
  if (hand === null) return { ...obstacle, ...pose };
  const p = new THREE.Vector3(...pose.p).applyQuaternion(hand.quaternion).add(hand.position);
  return { ...obstacle, p: p.toArray(), q: hand.quaternion.clone().multiply(new THREE.Quaternion(...pose.q)).toArray() as Quaternion };
}
