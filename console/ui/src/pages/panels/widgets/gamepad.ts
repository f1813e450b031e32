// Where the stick of a gamepad is.

const still = 0.08; // of its way: a stick never rests at exactly 0

export interface Stick {
  /** -1 … 1, to the right */
  x: number;
  /** -1 … 1, upwards */
  y: number;
  /** What the gamepad calls itself; "" where there is none: then the stick is in the middle. */
  gamepad: string;
}

/** The left stick of the first gamepad that is connected. Its way begins beyond what it trembles about the middle. */
export function stickOf(gamepads: readonly (Pick<Gamepad, "axes" | "connected" | "id"> | null)[]): Stick {
  const found = gamepads.find((g) => g !== null && g.connected);
  const [right = 0, down = 0] = found?.axes ?? [];
  const way = Math.hypot(right, down);
  const part = way > still ? (way - still) / (1 - still) / way : 0;
  return { x: right * part + 0, y: -down * part + 0, gamepad: found?.id ?? "" }; // + 0: not -0
}
