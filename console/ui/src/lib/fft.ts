// The discrete Fourier transform of a power of two of samples, radix 2, in place.

export class FFT {
  private readonly cos: Float64Array;
  private readonly sin: Float64Array;

  constructor(readonly size: number) {
    if (size < 2 || (size & (size - 1)) !== 0) throw new RangeError(`size ${size}: must be a power of two, at least 2`);
    this.cos = Float64Array.from({ length: size / 2 }, (_, k) => Math.cos((2 * Math.PI * k) / size));
    this.sin = Float64Array.from({ length: size / 2 }, (_, k) => Math.sin((2 * Math.PI * k) / size));
  }

  /** Replaces x[n] by the sum of x[n]·exp(-2πi·kn/size). */
  transform(re: Float64Array, im: Float64Array): void {
    const { size, cos, sin } = this;
    for (let i = 1, j = 0; i < size; i++) {
      let bit = size >> 1;
      for (; (j & bit) !== 0; bit >>= 1) j ^= bit;
      j ^= bit;
      if (i >= j) continue;
      [re[i], re[j]] = [re[j] as number, re[i] as number];
      [im[i], im[j]] = [im[j] as number, im[i] as number];
    }
    for (let half = 1; half < size; half *= 2) {
      const stride = size / (2 * half);
      for (let start = 0; start < size; start += 2 * half) {
        for (let k = 0; k < half; k++) {
          const [c, s] = [cos[k * stride] as number, sin[k * stride] as number];
          const [even, odd] = [start + k, start + k + half];
          const a = re[odd] as number;
          const b = im[odd] as number;
          const x = a * c + b * s;
          const y = b * c - a * s;
          re[odd] = (re[even] as number) - x;
          im[odd] = (im[even] as number) - y;
          re[even] = (re[even] as number) + x;
          im[even] = (im[even] as number) + y;
        }
      }
    }
  }
}
