// A temporary folder with systems, and runs of sinew in it, isolated from other runs on the machine.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { patience } from "../patience";
import { root } from "./build";

let sites = 0;

export class Site {
  readonly folder = mkdtempSync(join(tmpdir(), "sinew-real-"));
  /** suffix of every system name, so that two sites do not share memory */
  private readonly mark = `-${process.pid}-${++sites}`;
  private readonly runs: Run[] = [];

  constructor() {
    mkdirSync(join(this.folder, "tmp"), { mode: 0o700 });
  }

  /** Copies folders of the repository. */
  copy(...folders: string[]): void {
    for (const f of folders) cpSync(join(root, f), join(this.folder, f), { recursive: true });
  }

  /** Writes a file and returns its path. */
  write(path: string, text: string): string {
    const full = join(this.folder, path);
    mkdirSync(join(full, ".."), { recursive: true });
    writeFileSync(full, text);
    return full;
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  exists(path: string): boolean {
    return existsSync(join(this.folder, path));
  }

  list(path: string): string[] {
    return readdirSync(join(this.folder, path));
  }

  /** Returns the unique name of a system of this site. */
  name(system: string): string {
    return system + this.mark;
  }

  /** Writes a system file with the system's name made unique. */
  system(path: string, text: string): string {
    return this.write(path, text.replace(/^system: *(\S+)/m, (_, name: string) => `system: ${this.name(name)}`));
  }

  /** Writes Janus with a script that moves it continuously, without recording and panels. Returns the path of its file. */
  janus(change: (text: string) => string = (text) => text): string {
    this.copy("models/janus", "examples/janus");
    rmSync(join(this.folder, "examples/janus/panels"), { recursive: true, force: true });
    this.write("examples/janus/moves.star", motionScript);
    const text = this.read("examples/janus/janus.yaml");
    return this.system("examples/janus/janus.yaml", change(text.slice(0, text.indexOf("\nrecord:") + 1)));
  }

  /** Starts a program that opens a console, and waits for its address. */
  async start(args: string[], program = "sinew"): Promise<Run> {
    const run = this.spawn(args, program);
    await run.ready();
    return run;
  }

  /** Starts a program and does not wait. */
  spawn(args: string[], program = "sinew"): Run {
    const run = new Run(spawn(join(inject("programs"), program), args, { cwd: this.folder, env: this.env, stdio: ["ignore", "pipe", "pipe"] }));
    this.runs.push(run);
    return run;
  }

  run(file: string, ...flags: string[]): Promise<Run> {
    return this.start(["run", file, "--console", "--quiet", ...flags]);
  }

  /** Runs the command sinew and returns its output, to check the pages independently. It waits until a system runs: a console opens before its system. */
  async sinew(...args: string[]): Promise<string> {
    for (const deadline = Date.now() + patience; ; await pause(50)) {
      try {
        const { stdout } = await promisify(execFile)(join(inject("programs"), "sinew"), args, { cwd: this.folder, env: this.env });
        return stdout.trim();
      } catch (e) {
        if (!String(e).includes("no system runs") || Date.now() > deadline) throw e;
      }
    }
  }

  /** Ends everything started here and removes the folder. */
  async close(): Promise<void> {
    await Promise.all(this.runs.map((r) => r.end()));
    for (const pid of this.orphans()) process.kill(pid, "SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Returns cores without a front, which run until they are ended. */
  private orphans(): number[] {
    const shared = `/dev/shm/sinew-${userInfo().uid}`;
    if (!existsSync(shared)) return [];
    for (const f of readdirSync(shared).filter((n) => n.includes(this.mark + "."))) rmSync(join(shared, f));
    return readdirSync("/proc")
      .filter((n) => /^\d+$/.test(n) && commandOf(n).includes(`${this.mark}.core`))
      .map(Number);
  }

  private get env(): NodeJS.ProcessEnv {
    return { ...process.env, TMPDIR: join(this.folder, "tmp"), XDG_RUNTIME_DIR: join(this.folder, "tmp"), XDG_STATE_HOME: join(this.folder, "tmp") };
  }
}

/** Returns the command line of a process; "" if it has ended. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Returns the parent of a process; 0 if it has ended, also if it is a zombie. */
function parentOf(pid: string): number {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return state === "Z" ? 0 : Number(parent);
  } catch {
    return 0;
  }
}

/** A running sinew. */
export class Run {
  /** output so far */
  output = "";
  private ended = false;
  private asked = false;

  constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (d: Buffer) => (this.output += d.toString()));
    child.on("exit", (code, signal) => {
      this.ended = true;
      if (!this.asked) console.log(`sinew has ended unexpectedly (${signal ?? `exit code ${code}`}):\n${this.output}`);
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** The address that signs in. */
  get url(): string {
    return /^console: (\S+)/m.exec(this.output)?.[1] ?? "";
  }

  /** The address of the console without its token. */
  get origin(): string {
    return new URL(this.url).origin;
  }

  /** The port, as --listen takes it. */
  get listen(): string {
    return new URL(this.url).host;
  }

  async ready(): Promise<void> {
    for (const deadline = Date.now() + patience; this.url === ""; await pause(20)) {
      if (this.ended || Date.now() > deadline) throw new Error(`sinew printed no address:\n${this.output}`);
    }
  }

  /** Sends a signal. */
  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Sends a signal to the core, the only child of the front. */
  signalCore(name: NodeJS.Signals): void {
    const children = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === this.pid);
    if (children.length !== 1) throw new Error(`the run has ${children.length} children, not a core alone`);
    process.kill(Number(children[0]), name);
  }

  async end(name: NodeJS.Signals = "SIGTERM"): Promise<void> {
    this.asked = true;
    if (this.ended) return;
    const over = new Promise((done) => this.child.once("exit", done));
    this.child.kill("SIGCONT");
    this.child.kill(name);
    const last = setTimeout(() => this.child.kill("SIGKILL"), 5_000);
    await over;
    clearTimeout(last);
  }

  /** CPU time of the process in s. */
  cpuSeconds(): number {
    const fields = readFileSync(`/proc/${this.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100; // utime and stime, in ticks of 10 ms
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

const motionScript = `for i in range(1000000):
    generator.moveTo([0.6, 0.4] if i % 2 == 0 else [0.0, 0.0], 0.7)
    wait_until(i + 1)
`;
