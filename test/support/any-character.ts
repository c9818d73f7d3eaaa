import fc from 'fast-check';

/** The code points of surrogates, which are no characters. */
const surrogates = { from: 0xd800, count: 0x800 };

/**
 * Any character, as the unit of random strings. It has the values of the unit `binary` of fast-check, without the map of a
 * million characters that fast-check retains in the process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - surrogates.count })
  .map((index) => String.fromCodePoint(index < surrogates.from ? index : index + surrogates.count), indexOf);

/** Throws if the value is not one character, as fast-check expects. */
function indexOf(value: unknown): number {
  const [code = Number.NaN, ...others] =
    typeof value === 'string' ? Array.from(value, (one) => one.codePointAt(0)) : [];
  const index = code < surrogates.from ? code : code - surrogates.count;
  if (others.length > 0 || !(index >= 0) || (code >= surrogates.from && index < surrogates.from))
    throw new Error('not one character');
  return index;
}
