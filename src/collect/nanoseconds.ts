/** The server's nanoseconds since the epoch; undefined where the text is no such number, or is 0 for «never». */
export function parseNanoseconds(text: string): bigint | undefined {
  if (!/^\d{1,20}$/.test(text)) return undefined;
  const nanoseconds = BigInt(text);
  return nanoseconds === 0n ? undefined : nanoseconds;
}

/** Seconds to the millisecond: a double holds no nanoseconds of this century, and would make digits up. */
export function nanosecondsInSeconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n) / 1000;
}
