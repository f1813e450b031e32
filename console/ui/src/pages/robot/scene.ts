// The 3-D scene around a robot: camera, lights, floor and grid in the theme's colours. z is up, lengths in metres.
// It draws only after a change.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { dispose } from "./dispose";
import { cornersOf, fitCamera } from "./fit";
import { Grid } from "./grid";
import { FramePacer, type Quality } from "./pacer";

/** Viewpoints. */
export type ViewName = "free" | "front" | "side" | "top";

const directions: Record<ViewName, [number, number, number]> = {
  free: [1.1, -1.5, 0.8],
  front: [1, 0, 0.001],
  side: [0, -1, 0.001],
  top: [0, -0.001, 1],
};

export class Scene {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(38, 1, 0.01, 200);
  readonly controls: OrbitControls;
  readonly canvas: HTMLCanvasElement;
  /** Approximate size of the robot in m; marks are scaled by it. */
  size = 1;
  /** The lines on the floor. */
  readonly grid = new Grid();

  private readonly renderer: THREE.WebGLRenderer;
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x888888, 1);
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2);
  private readonly floor: THREE.Mesh<THREE.PlaneGeometry, THREE.ShadowMaterial>;
  private readonly place = new THREE.Vector3(); // position that the camera follows
  private foot = 0; // px at the bottom that something covers
  private centre = new THREE.Vector3();
  private filling: THREE.Vector3[] = []; // points that fill the picture
  private direction: ViewName = "free"; // last selected viewpoint
  private turned = false; // the user has moved the camera since
  private dirty = true;
  private urgent = false;
  private share = 1; // of the full resolution, per side
  private readonly software: boolean; // there is no graphics card
  private next = 0; // request of the next frame
  private readonly watcher: ResizeObserver;
  private readonly before = new Set<() => void>();
  private readonly after = new Set<() => void>();
  private readonly pace: FramePacer;

  constructor(private readonly host: HTMLElement) {
    THREE.Object3D.DEFAULT_UP.set(0, 0, 1);
    this.camera.up.set(0, 0, 1);
    this.software = drawsInSoftware();
    this.renderer = new THREE.WebGLRenderer({ antialias: !this.software });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.NoToneMapping;
    this.canvas = this.renderer.domElement;
    this.canvas.style.display = "block";
    host.append(this.canvas);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.invalidate());
    this.controls.addEventListener("start", () => (this.turned = true));
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 4;
    this.floor = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShadowMaterial());
    this.floor.receiveShadow = true;
    this.scene.add(this.sky, this.sun, this.sun.target, this.floor, this.grid.group);
    this.recolour();
    this.frameBox(new THREE.Box3(new THREE.Vector3(-0.5, -0.5, 0), new THREE.Vector3(0.5, 0.5, 1)));
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(host);
    this.resize();
    this.pace = new FramePacer(this.software);
    const draw = (now: number): void => {
      this.next = requestAnimationFrame(draw);
      this.draw(this.pace.next(now, this.dirty, this.urgent));
    };
    this.next = requestAnimationFrame(draw);
  }

  /** Draws at once, which saves a frame; in the next frame just after a picture. */
  drawNow(): void {
    this.dirty = this.urgent = true;
    if (!this.draw(this.pace.atOnce(performance.now()))) return;
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const begun = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0); // a renderer without a graphics card would begin with the next frame
    gl.flush();
    gl.deleteSync(begun);
  }

  /** Draws a picture; reports whether it did. */
  private draw(how: Quality): boolean {
    if (how === "nothing") return false;
    if (this.pace.slow) this.simplify();
    this.drawAt(this.pace.shareOf(how));
    this.dirty = this.urgent = false;
    for (const f of this.before) f();
    this.renderer.render(this.scene, this.camera);
    for (const f of this.after) f();
    this.pace.drawn();
    return true;
  }

  /** Removes shadows, for computers without a graphics card. */
  private simplify(): void {
    if (!this.renderer.shadowMap.enabled) return;
    this.renderer.shadowMap.enabled = false;
    this.sun.castShadow = false;
    this.floor.visible = false;
  }

  /** Sets the share of the full resolution at which pictures are drawn. */
  private drawAt(share: number): void {
    if (share === this.share) return;
    this.share = share;
    this.resize();
  }

  /** Requests a redraw in the next frame. */
  invalidate(): void {
    this.dirty = true;
  }

  /** Calls f before each drawing. */
  beforeDrawing(f: () => void): void {
    this.before.add(f);
  }

  /** Calls f after each drawing. */
  afterDrawing(f: () => void): void {
    this.after.add(f);
  }

  /** Fits the scene and the camera to a box. */
  frameBox(box: THREE.Box3): void {
    this.frame(cornersOf(box));
  }

  /** Fits the scene and the camera to the outermost points of a robot. */
  frame(points: readonly THREE.Vector3[]): void {
    const box = new THREE.Box3().setFromPoints([...points]);
    this.filling = points.map((p) => p.clone());
    this.size = Math.max(0.05, box.getSize(new THREE.Vector3()).length());
    box.getCenter(this.centre);
    const reach = this.size;
    this.sun.position.copy(this.centre).add(new THREE.Vector3(0.6, -0.8, 1.6).multiplyScalar(2 * reach));
    this.sun.target.position.copy(this.centre);
    const camera = this.sun.shadow.camera;
    [camera.left, camera.right, camera.top, camera.bottom, camera.near, camera.far] = [-reach, reach, reach, -reach, 0.1 * reach, 8 * reach];
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = reach * 0.008;
    this.scene.fog = new THREE.Fog(this.scene.background as THREE.Color, 3 * reach, 9 * reach);
    this.camera.near = reach / 100;
    this.camera.far = reach * 100;
    this.camera.updateProjectionMatrix();
    this.floor.scale.setScalar(reach * 12);
    this.drawGrid();
    this.look(this.direction);
  }

  /**
   * Follows a moving robot at a position: the robot keeps its place in the picture and the grid moves below it. Vertical motion stays
   * visible unless the robot would leave the picture.
   */
  follow(place: THREE.Vector3): void {
    const rise = place.z - this.place.z;
    const step = new THREE.Vector3(place.x - this.place.x, place.y - this.place.y, Math.sign(rise) * Math.max(0, Math.abs(rise) - this.size / 4));
    if (step.lengthSq() === 0) return;
    this.place.add(step);
    for (const moved of [...this.filling, this.centre, this.camera.position, this.controls.target, this.sun.position, this.sun.target.position]) moved.add(step);
    this.floor.position.set(this.place.x, this.place.y, 0);
    this.grid.moveTo(this.place);
    this.controls.update();
  }

  /** Fits the picture into the part above what covers its bottom, with the given height in px. */
  set covered(foot: number) {
    if (foot === this.foot) return;
    this.foot = foot;
    this.resize();
  }

  /** Selects a viewpoint, from which the robot fills the picture. */
  look(view: ViewName): void {
    this.direction = view;
    this.turned = false;
    const direction = new THREE.Vector3(...directions[view]).normalize();
    this.camera.position.copy(fitCamera(this.filling, direction, this.camera.fov, this.camera.aspect));
    const distance = Math.max(0.1, this.camera.position.clone().sub(this.centre).dot(direction));
    this.controls.target.copy(this.camera.position).addScaledVector(direction, -distance);
    this.controls.update();
    this.camera.updateMatrixWorld(); // a finger meets what the next drawing will show
    this.invalidate();
  }

  /** Whether the camera is where a viewpoint has put it. */
  get atViewpoint(): boolean {
    return !this.turned;
  }

  set gridShown(on: boolean) {
    this.grid.group.visible = on;
    this.invalidate();
  }

  /** Applies the theme's colours. */
  recolour(): void {
    const style = getComputedStyle(this.host);
    const colour = (name: string): THREE.Color => new THREE.Color(style.getPropertyValue(name).trim());
    const background = colour("--raised");
    const dark = background.getHSL({ h: 0, s: 0, l: 0 }).l < 0.5;
    this.scene.background = background;
    if (this.scene.fog !== null) this.scene.fog.color = background;
    this.sky.color.set(dark ? 0xdfe8f5 : 0xffffff);
    this.sky.groundColor.set(dark ? 0x4a525c : 0xb9bec6);
    this.sky.intensity = dark ? 1.9 : 1.7;
    this.sun.intensity = dark ? 1.9 : 1.8;
    this.floor.material.opacity = dark ? 0.45 : 0.16;
    this.drawGrid();
    this.invalidate();
  }

  /** Draws and returns the picture as a data URL. Only in the same task can it be read after drawing. */
  picture(): string {
    this.renderer.render(this.scene, this.camera);
    return this.canvas.toDataURL("image/png");
  }

  dispose(): void {
    cancelAnimationFrame(this.next);
    this.watcher.disconnect();
    this.controls.dispose();
    this.scene.traverse(dispose);
    this.renderer.dispose();
    this.canvas.remove();
  }

  private drawGrid(): void {
    const style = getComputedStyle(this.host);
    this.grid.draw(this.size, { minor: style.getPropertyValue("--line").trim(), major: style.getPropertyValue("--line-strong").trim() });
    this.grid.moveTo(this.place);
  }

  private resize(): void {
    const [width, height] = [Math.max(1, this.host.clientWidth), Math.max(1, this.host.clientHeight)];
    const smooth = this.software && this.share === 1; // a picture at rest, whose pixels the browser averages
    this.renderer.setPixelRatio(smooth ? 2 : this.share * Math.min(2, devicePixelRatio || 1));
    this.renderer.setSize(width, height);
    const room = Math.max(height / 2, height - this.foot);
    const other = Math.abs(this.camera.aspect - width / room) > 1e-6;
    this.camera.aspect = width / room;
    this.camera.setViewOffset(width, room, 0, 0, width, height);
    if (other && !this.turned) this.look(this.direction);
    this.invalidate();
  }
}

/** Reports whether this browser draws 3-D without a graphics card. */
function drawsInSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(gl?.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
