import type { ReceivedLetter, Told } from '../../../src/simulator/receivers/letter.ts';

/** Four in the morning, when such letters come. */
export const night = Date.UTC(2026, 8, 22, 4, 5, 6);

/** A letter that was taken, unless it says otherwise. */
export function letter(words: readonly Told[], more: Partial<ReceivedLetter> = {}): ReceivedLetter {
  return {
    receiver: 'oncall',
    kind: 'pagerduty',
    at: night,
    headers: {},
    body: '',
    told: words,
    taken: true,
    status: 202,
    answer: 'sent',
    ...more,
  };
}

/** Something that a letter tells. */
export function told(action: Told['action'], key: string, more: Partial<Told> = {}): Told {
  return { action, key, episode: '', summary: `about ${key}`, ...more };
}
