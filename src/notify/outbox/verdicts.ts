import type { Answer } from '../notifier.ts';
import type { Verdict } from './episode.ts';

/** What the answer to a letter means for the alert at `index` of `count`; `chance` is uniform in [0, 1). */
export function verdictOf(answer: Answer, index: number, count: number, chance: number): Verdict {
  if (answer.kind === 'accepted') return { kind: 'accepted' };
  if (answer.kind === 'unavailable') return { kind: 'lost', answered: answer.answered, chance };
  if (answer.kind !== 'refused') return { kind: 'untaken' };
  const culprits = answer.culprits ?? [];
  if (culprits.length === 0) return { kind: 'refused', letter: count };
  // Who is not named may have been taken: it is told again at once, without the guilty.
  return culprits.includes(index) ? { kind: 'refused', letter: 1 } : { kind: 'spared' };
}
