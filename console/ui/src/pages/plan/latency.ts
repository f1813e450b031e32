// The times from a change to the new motion on the screen, and their parts.

/** The parts of one time, ms. */
export interface Parts {
  /** from the event in the browser until the request is sent: handlers, and the request before */
  queued: number;
  /** of the server: scene, inverse kinematics, plan; and its wait for other plans */
  server: number;
  /** between: encoding, the network, decoding */
  way: number;
  /** from the answer until the picture is drawn */
  drawing: number;
  /** the sum */
  all: number;
}

/** The newest times, at most `most`. */
export class Latency {
  private readonly times: Parts[] = [];

  constructor(private readonly most = 200) {}

  add(t: Parts): void {
    this.times.push(t);
    if (this.times.length > this.most) this.times.shift();
  }

  get count(): number {
    return this.times.length;
  }

  /** Returns the least time that a share of all do not exceed, for each part alone; NaN without any. */
  quantile(share: number): Parts {
    const of = (part: keyof Parts): number => {
      const sorted = this.times.map((t) => t[part]).sort((a, b) => a - b);
      return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
    };
    return { queued: of("queued"), server: of("server"), way: of("way"), drawing: of("drawing"), all: of("all") };
  }
}
