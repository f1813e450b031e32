import { expect, test } from "vitest";
import * as THREE from "three";
import { Grid } from "./grid";

/** Returns the pieces of lines of a group, as text. */
function pieces(group: THREE.Object3D): string[] {
  const all: string[] = [];
  group.traverse((o) => {
    if (!(o instanceof THREE.LineSegments)) return;
    const ends = [...((o as THREE.LineSegments).geometry.getAttribute("position").array as Float32Array)].map((x) => x.toFixed(4));
    for (let i = 0; i < ends.length; i += 6) all.push(ends.slice(i, i + 6).join(" "));
  });
  return all;
}

test("a grid has round cells, and each piece of a line once", () => {
  const grid = new Grid();
  grid.draw(1.3, { minor: "#ccc", major: "#888" });
  expect(grid.cell).toBeCloseTo(0.2);
  const drawn = pieces(grid.group);
  expect(drawn.length).toBe(2 * 61 * 12);
  expect(new Set(drawn).size).toBe(drawn.length);
  grid.draw(0.13, { minor: "#ccc", major: "#888" });
  expect(grid.cell).toBeCloseTo(0.02);
  expect(pieces(grid.group).length).toBe(drawn.length);
});

test("lines follow a place by major lines, and the axes stay", () => {
  const grid = new Grid();
  grid.draw(1, { minor: "#ccc", major: "#888" });
  grid.moveTo(new THREE.Vector3(0.7, -0.2, 3));
  const [lines, ...axes] = grid.group.children;
  expect(lines?.position.toArray()).toEqual([0.5, -0, 0]);
  expect(axes.map((a) => [a.position.x, a.position.y])).toEqual([
    [0, 0],
    [0, 0],
  ]);
});
