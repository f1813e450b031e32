// How often pictures that move are drawn: all on a page in the same frames, so that the browser composes fewer.

const rate = 30; // per s

/** Reports whether a frame at a time in ms begins another thirtieth of a second than the frame that was drawn before. */
export function isDue(now: number, before: number): boolean {
  return Math.floor((now * rate) / 1000) !== Math.floor((before * rate) / 1000);
}
