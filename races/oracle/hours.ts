import type { ActiveWindow } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { epoch } from '../plan/plan.ts';
import type { Span } from './clauses.ts';
import type { Trial } from './trial.ts';

const minute: Millis = 60_000;
const ahead: Readonly<Record<string, number>> = { UTC: 0, 'Europe/Berlin': 120, 'Asia/Kathmandu': 345 };
const day: Millis = 86_400_000;
/** The first day of the epoch was a Thursday. */
const firstDay = 4;

/** What our clock shows at an instant, as it was set by then. */
export function wallAt({ log }: Trial, at: Millis): number {
  return log.steps.reduce((wall, step) => (step.at <= at ? wall + step.by : wall), epoch + at);
}

/**
 * From when to when hours are open that are so at an instant, or are the next to open that day, if the clock that shows
 * `wall` is not set meanwhile. No clock goes forward or back in summer, and no scene goes over midnight.
 */
export function openSpan({ days, from, to, zone }: ActiveWindow, wall: number, at: Millis): Span | undefined {
  const shift = ahead[zone];
  if (shift === undefined) throw new Error(`what does a clock show in ${zone}?`);
  const shown = wall + shift * minute;
  const time = shown % day;
  if (!days.includes((firstDay + Math.floor(shown / day)) % 7) || time >= to * minute) return undefined;
  return { from: at + from * minute - time, to: at + to * minute - time };
}
