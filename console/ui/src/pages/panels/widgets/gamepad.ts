// Reads the stick of a gamepad.

const deadZone = 0.08; // share of full deflection: a stick does not rest at exactly 0

export interface Stick {
  /** -1 … 1, to the right */
  x: number;
  /** -1 … 1, upwards */
  y: number;
  /** the gamepad's id; "" without a gamepad, with the stick at the centre */
  gamepad: string;
}

/** Returns the left stick of the first connected gamepad, scaled so that it starts at 0 at the edge of the dead zone. */
export function stickOf(gamepads: readonly (Pick<Gamepad, "axes" | "connected" | "id"> | null)[]): Stick {
  const found = gamepads.find((g) => g !== null && g.connected);
  const [right = 0, down = 0] = found?.axes ?? [];
  const deflection = Math.hypot(right, down);
  const part = deflection > deadZone ? (deflection - deadZone) / (1 - deadZone) / deflection : 0;
  return { x: right * part + 0, y: -down * part + 0, gamepad: found?.id ?? "" }; // + 0: not -0
}
