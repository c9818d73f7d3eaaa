import type { PauseReason } from './guard-control.ts';

/** Why the guard holds still, for a person. */
export const pauseWords: Readonly<Record<PauseReason, string>> = {
  operator: 'an operator paused it',
  signal: 'it was paused by SIGUSR2',
  file: 'there is a file guard.paused in its state directory, or that cannot be told',
  unexpected_id: 'a server said that it aborted what nobody asked for',
  state_lost: 'its stored state is lost or not read yet: budgets may be spent',
};
