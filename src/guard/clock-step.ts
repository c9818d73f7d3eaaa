import type { Instant, Millis } from '../kernel/time.ts';
import type { ClockOffset } from './offset.ts';

// What a clock may be slewed by between two steps of the guard, which are seconds apart.
const slew: Millis = 250;

/** By how much our own wall clock was set between two instants, against the monotonic one; 0 where it was not. */
export function stepBetween(before: Instant, now: Instant): Millis {
  const step = now.wall - before.wall - (now.mono - before.mono);
  return Math.abs(step) > slew ? step : 0;
}

/** What is known of a node's clock after ours was set: they stand to each other as they are now. */
export function shifted(state: ClockOffset, step: Millis): ClockOffset {
  const by = (value: Millis | undefined) => (value === undefined ? undefined : value + step);
  return {
    ...state,
    offset: by(state.offset),
    anchor: by(state.anchor),
    told: new Map([...state.told].map(([id, one]) => [id, { ...one, value: one.value + step }])),
    rising: state.rising.map((value) => value + step),
  };
}
