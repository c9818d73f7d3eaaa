import { parseDuration } from '../../kernel/duration.ts';
import { err, map, ok, type Result } from '../../kernel/result.ts';
import type { Manner, SimpleManner } from './manner.ts';

/** What a person may write for a manner, and what it does. */
export const mannerWords: readonly (readonly [word: string, about: string])[] = [
  ['healthy', 'takes everything'],
  ['503', 'answers this status and keeps nothing; 429:30 adds Retry-After: 30'],
  ['hang', 'keeps what it gets and never answers'],
  ['drop', 'keeps what it gets and breaks the connection'],
  ['slow:5s', 'answers after so long'],
  ['flaky:0.3', 'with this chance refuses, has no time or breaks the connection'],
];

const flakiness: readonly SimpleManner[] = [
  { kind: 'refuse', status: 503 },
  { kind: 'refuse', status: 429, retryAfter: '2' },
  { kind: 'drop', taken: true },
  { kind: 'drop', taken: false },
];

/** Reads one of {@link mannerWords}; the error is a sentence. */
export function parseManner(text: string): Result<Manner, string> {
  const [word = '', detail] = text.trim().split(':');
  const unknown = err(`'${text.trim()}' is none of ${mannerWords.map(([known]) => known).join(', ')}`);
  if (/^[2-5]\d\d$/.test(word)) return refusing(Number(word), detail);
  if (word === 'slow') return map(parseDuration(detail ?? ''), (by): Manner => ({ kind: 'slow', by }));
  if (word === 'flaky') return flaky(detail ?? '');
  if (detail !== undefined) return unknown;
  if (word === 'healthy') return ok({ kind: 'healthy' });
  return word === 'hang' || word === 'drop' ? ok({ kind: word, taken: true }) : unknown;
}

function refusing(status: number, retryAfter: string | undefined): Result<Manner, string> {
  if (retryAfter === undefined) return ok({ kind: 'refuse', status });
  return /^\d{1,5}$/.test(retryAfter)
    ? ok({ kind: 'refuse', status, retryAfter })
    : err(`'${retryAfter}' is no number of seconds: write 429:30`);
}

function flaky(text: string): Result<Manner, string> {
  const chance = text === '' ? Number.NaN : Number(text);
  if (!(chance >= 0 && chance <= 1)) return err(`'${text}' is no chance: write flaky:0.3`);
  return ok({ kind: 'random', seed: 1, chance, of: flakiness });
}
