// The waveform of the request excite, as docs/reference/control-plane.md describes it.

/** A waveform that a port's thread feeds. */
export interface Excitation {
  shape: "step" | "sweep" | "noise";
  centre: number;
  amplitude: number;
  duration_s: number;
  from_hz?: number;
  to_hz?: number;
}
