import type { Instant } from '../kernel/time.ts';
import type { Sample } from './metric.ts';

/** Shape of tracker, guard and alerting: pure, with one synchronous step per input. */
export interface StateMachine<State, Input, Output> {
  readonly initial: State;
  step(state: State, input: Input, now: Instant): { readonly state: State; readonly outputs: readonly Output[] };
  /** Samples of the state. */
  samples(state: State, now: Instant): Iterable<Sample>;
}
