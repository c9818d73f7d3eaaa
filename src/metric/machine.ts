import type { Instant } from '../kernel/time.ts';
import type { Sample } from './metric.ts';

/** What tracker, guard and alerting have in common: pure, one synchronous step for each input. */
export interface Machine<State, Input, Output> {
  readonly initial: State;
  step(state: State, input: Input, now: Instant): { readonly state: State; readonly outputs: readonly Output[] };
  /** What it shows of its state. */
  samples(state: State, now: Instant): Iterable<Sample>;
}
