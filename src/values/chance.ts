const twoToThe32nd = 2 ** 32;

/** Returns a random number in [0, 1), for delays that must not coincide. Also runs in browsers. */
export function systemChance(): number {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return number / twoToThe32nd;
}
