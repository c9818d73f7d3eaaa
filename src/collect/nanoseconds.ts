/** Parses nanoseconds since the epoch of the server; undefined if the text is not such a number, or is 0, which means never. */
export function parseNanoseconds(text: string): bigint | undefined {
  if (!/^\d{1,20}$/.test(text)) return undefined;
  const nanoseconds = BigInt(text);
  return nanoseconds === 0n ? undefined : nanoseconds;
}

/** Converts to seconds with millisecond precision: a double cannot hold nanoseconds of this century. */
export function nanosecondsToSeconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n) / 1000;
}
