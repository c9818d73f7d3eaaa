import type { Random } from '../kernel/system.ts';
import type { Instant } from '../kernel/time.ts';
import type { SpanPlace } from '../model/span.ts';

/** Hexadecimal digits of one draw: a draw has 52 bits to give. */
const drawn = 8;

/** The place of a new trace's root. */
export function rootPlace(random: Random): SpanPlace {
  return { traceId: digits(32, random), spanId: digits(16, random) };
}

/** A place for one more span of the same trace. */
export function placeIn({ traceId }: SpanPlace, random: Random): SpanPlace {
  return { traceId, spanId: digits(16, random) };
}

/**
 * Instants of one trace as milliseconds since the epoch, counted from its beginning by the clock that never steps: a
 * child stays inside its parent whatever becomes of the wall clock.
 */
export function since({ wall, mono }: Instant, at: Instant): number {
  return wall + (at.mono - mono);
}

/** All zeros would be no identifier; the last digit then makes it one. */
function digits(count: number, random: Random): string {
  let text = '';
  while (text.length < count) {
    text += Math.floor(random.next() * 16 ** drawn)
      .toString(16)
      .padStart(drawn, '0');
  }
  return /^0+$/.test(text) ? `${text.slice(1)}1` : text;
}
