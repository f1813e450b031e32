// The points of a program in the picture: a ball for each target, an octahedron for one in positions of joints, smaller ones for waypoints and the points that
// arcs pass through. They are selected by a click.

import * as THREE from "three";
import type { ProgramPoint } from "../../lib/programs";
import type { Scene } from "../robot/scene";
import { keyOf } from "./program.svelte";

const slop = 5; // px that the mouse may move in a click

export class Points {
  readonly group = new THREE.Group();
  private readonly plain = new THREE.MeshBasicMaterial({ depthTest: false });
  private readonly chosen = new THREE.MeshBasicMaterial({ color: 0xd0a53a, depthTest: false });
  private readonly wrong = new THREE.MeshBasicMaterial({ color: 0xe0202c, depthTest: false });
  private readonly ball = new THREE.SphereGeometry(1, 16, 10);
  private readonly octahedron = new THREE.OctahedronGeometry(1.3);

  set colour(colour: string) {
    this.plain.color.set(colour);
  }

  /** Draws points for a picture of this size in m: the selected one, and those of moves with mistakes, in colours of their own. */
  show(points: readonly ProgramPoint[], selected: string, wrong: ReadonlySet<number>, size: number): void {
    while (this.group.children.length > points.length) this.group.children.at(-1)?.removeFromParent();
    points.forEach((p, i) => {
      let mesh = this.group.children[i] as THREE.Mesh | undefined;
      if (mesh === undefined) {
        mesh = new THREE.Mesh(this.ball, this.plain);
        mesh.renderOrder = 3;
        this.group.add(mesh);
      }
      mesh.name = keyOf(p);
      mesh.geometry = p.joints ? this.octahedron : this.ball;
      mesh.position.fromArray(p.pose.p);
      mesh.scale.setScalar(size * (p.via || p.kind === "movePath" ? 0.006 : 0.01));
      mesh.material = mesh.name === selected ? this.chosen : wrong.has(p.move) ? this.wrong : this.plain;
    });
  }

  /** The point under the mouse when it was pressed last; "" if there was none. */
  pressed = "";

  /** Listens for clicks on points, or beside them, until the returned function is called. */
  pick({ canvas, camera }: Scene, select: (key: string) => void, allowed: () => boolean): () => void {
    let down = { x: 0, y: 0 };
    const press = (e: PointerEvent): void => {
      down = { x: e.clientX, y: e.clientY };
      const box = canvas.getBoundingClientRect();
      const ray = new THREE.Raycaster();
      ray.setFromCamera(new THREE.Vector2(((e.clientX - box.left) / box.width) * 2 - 1, 1 - ((e.clientY - box.top) / box.height) * 2), camera);
      this.pressed = ray.intersectObjects(this.group.children)[0]?.object.name ?? "";
    };
    const release = (e: PointerEvent): void => {
      if (e.button === 0 && this.group.children.length > 0 && Math.hypot(e.clientX - down.x, e.clientY - down.y) <= slop && allowed()) select(this.pressed);
    };
    canvas.addEventListener("pointerdown", press, { capture: true });
    canvas.addEventListener("pointerup", release);
    return () => {
      canvas.removeEventListener("pointerdown", press, { capture: true });
      canvas.removeEventListener("pointerup", release);
    };
  }

  dispose(): void {
    this.ball.dispose();
    this.octahedron.dispose();
    for (const m of [this.plain, this.chosen, this.wrong]) m.dispose();
  }
}
