/** The polynomial of gzip's CRC-32 with its bits in reflected order: x^0 is the highest bit. */
const polynomial = 0xedb88320;
const one = 0x80000000;

/** Product of two polynomials over GF(2), modulo the CRC's. */
function multiply(a: number, b: number): number {
  let product = 0;
  let power = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= power;
    power = (power & 1) === 0 ? power >>> 1 : (power >>> 1) ^ polynomial;
  }
  return product >>> 0;
}

/** x^(8 · 2^k): what shifts a checksum by 2^k bytes. */
const shifts: readonly number[] = Array.from({ length: 40 }).reduce<number[]>(
  (powers) => {
    const last = powers.at(-1) ?? one;
    return [...powers, multiply(last, last)];
  },
  // x^8: eight places below x^0.
  [one >>> 8],
);

/** The CRC-32 of two parts in a row from the CRC-32 of each: `length` is the second part's, in bytes. */
export function joinChecksums(first: number, second: number, length: number): number {
  let shifted = first;
  let rest = length;
  for (let k = 0; rest > 0; k += 1) {
    if (rest % 2 === 1) shifted = multiply(shifts[k] ?? one, shifted);
    rest = Math.floor(rest / 2);
  }
  return (shifted ^ second) >>> 0;
}
