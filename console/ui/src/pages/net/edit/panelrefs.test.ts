import { expect, test } from "vitest";
import janus from "../../../../../../examples/janus/panels/tune.yaml?raw";
import { moveInPanel, panelRefs } from "./panelrefs";
import { chained, inverse, renamedOf, type Renamed } from "./renamed";

const renameInPanel = (text: string, blocks: Renamed): string => moveInPanel(text, { blocks, ports: new Map() });

test("renaming a block in a panel changes its references and no other text", () => {
  const text = `# the gains of pid1
title: pid1
widgets:
  - {type: slider, title: pid1.kp, at: [0, 0, 4, 2], bind: {param: pid1.kp}} # pid1.kp
  - {type: joystick, bind: {x: {port: 'pid1.ref[0]'}, y: {port: pid10.ref}}}
  - type: plot
    signals: ["pid1.out", wave.pid1]
  - {type: view, robot: pid1}
  - {type: led, colour: pid1, text: pid1}
  - {type: text, bind: {port: "pid1.all[2:5]"}}
`;
  expect(panelRefs(text)).toEqual(["pid1.kp", "pid1.ref[0]", "pid10.ref", "pid1.out", "wave.pid1", "pid1", "pid1.all[2:5]"]);
  const now = renameInPanel(text, new Map([["pid1", "control.pid1"]]));
  expect(now).toBe(
    text.replace("param: pid1.kp", "param: control.pid1.kp").replace("'pid1.ref", "'control.pid1.ref").replace('"pid1.out', '"control.pid1.out').replace("robot: pid1", "robot: control.pid1").replace('"pid1.all', '"control.pid1.all'),
  );
  expect(renameInPanel(now, new Map([["wave", "w"], ["pid10", "p"]]))).toContain("p.ref");
});

test("the panel of Janus follows its blocks into a group", () => {
  const now = renameInPanel(janus, new Map([["pid1", "control.pid1"], ["controller", "control.controller"]]));
  expect(panelRefs(now)).toContain("control.pid1.kp");
  expect(panelRefs(now)).toContain("control.controller.ref1");
  expect(panelRefs(now).filter((r) => r.startsWith("pid1") || r.startsWith("controller"))).toEqual([]);
  expect(now.split("\n")[0]).toBe(janus.split("\n")[0]);
  expect(now.split("\n").length).toBe(janus.split("\n").length);
});

test("renamings one after the other are one renaming", () => {
  const grouped = new Map([["pid1", "control.pid1"], ["arm.wrist", "wrist"]]);
  const renamed = new Map([["control", "regulator"], ["wrist", "hand"], ["arm", "limb"]]);
  const both = chained(grouped, renamed);
  for (const [old, now] of [["pid1", "regulator.pid1"], ["arm.wrist.x", "hand.x"], ["arm.elbow", "limb.elbow"], ["other", "other"]] as const) {
    expect(renamedOf(both, old)).toBe(now);
    expect(renamedOf(inverse(both), now)).toBe(old);
  }
  expect(renamedOf(chained(new Map([["arm", "limb"]]), new Map([["limb.pid", "pid"]])), "arm.pid")).toBe("pid");
});

test("the addresses of a workspace follow renamed blocks", () => {
  const text = "title: pid1\npages: ['40:net/pid1?edit=1', tree/pid1.kp, \"60:robot/pid1\", scope, 'panels/pid1', 'net/pid10']\n";
  expect(panelRefs(text)).toEqual(["pid1", "pid1.kp", "pid10"]);
  expect(renameInPanel(text, new Map([["pid1", "arm.pid1"]]))).toBe("title: pid1\npages: ['40:net/arm.pid1?edit=1', tree/arm.pid1.kp, \"60:robot/arm.pid1\", scope, 'panels/pid1', 'net/pid10']\n");
  expect(renameInPanel("pages: [plan/pid1, /40:net/pid1, 'scope?add=pid1.out%5B2%3A5%5D']", new Map([["pid1", "arm.pid1"]]))).toBe("pages: [plan/arm.pid1, /40:net/arm.pid1, 'scope?add=arm.pid1.out%5B2%3A5%5D']");
  expect(renameInPanel("pages: [net/a%7C1]", new Map([["a|1", "b|2"]]))).toBe("pages: [net/b%7C2]");
});
