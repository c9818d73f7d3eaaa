import type { Millis } from '../../kernel/time.ts';
import type { NotifierTraits } from '../notifier.ts';

const minute: Millis = 60_000;

/** Monotonic times of letters of the last minute, the oldest first: what a receiver's limits are counted with. */
export type Sent = readonly number[];

/** One letter more. */
export function withSent(sent: Sent, now: number): Sent {
  return [...sent.filter((at) => now - at < minute), now];
}

/** When the next letter may go. */
export function nextAllowed(sent: Sent, { spacing, perMinute }: NotifierTraits): number {
  const last = sent.at(-1) ?? Number.NEGATIVE_INFINITY;
  const first = perMinute === undefined ? undefined : sent.at(-perMinute);
  return Math.max(last + spacing, first === undefined ? Number.NEGATIVE_INFINITY : first + minute);
}
