import type { Change } from '../../kernel/store.ts';
import { notificationAdded } from './rows.ts';

/** What an attempt came to, for the history and for what is counted. */
export interface Ending {
  readonly key: string;
  readonly episode: number;
  readonly action: string;
  readonly result: string;
  /** When what was accepted had become due, wall time; absent for what nobody waits for. */
  readonly due?: number;
}

/** The lines of the history: what is over, well or badly. What is only said again is no history. */
export function historyOf(receiver: string, endings: readonly Ending[], at: number): readonly Change[] {
  return endings.filter(isLasting).map((ending) => notificationAdded({ ...ending, at, receiver }));
}

function isLasting({ action, result }: Ending): boolean {
  return action !== 'refresh' && (result === 'accepted' || result === 'parked');
}
