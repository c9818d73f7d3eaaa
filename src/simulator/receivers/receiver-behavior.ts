import { parseDuration } from '../../kernel/duration.ts';
import { err, mapResult, ok, type Result } from '../../kernel/result.ts';
import type { Random } from '../../kernel/system.ts';
import type { Millis } from '../../kernel/time.ts';
import { seededRandom } from '../seeded-random.ts';

/** Behavior of a simulated receiver. */
export type ReceiverBehavior =
  /** Like the real one: accepts valid requests and rejects others. */
  | { readonly kind: 'healthy' }
  /** Replies with a status and keeps nothing. `retryAfter` is the value of the header: seconds, or a date. */
  | { readonly kind: 'refuse'; readonly status: number; readonly retryAfter?: string; readonly body?: string }
  /** Never replies; keeps the request if `isAccepted`. */
  | { readonly kind: 'hang'; readonly isAccepted: boolean }
  /** Breaks the connection instead of replying; keeps the request if `isAccepted`. */
  | { readonly kind: 'drop'; readonly isAccepted: boolean }
  /** Healthy, but replies after a delay; keeps the request at once. */
  | { readonly kind: 'slow'; readonly by: Millis }
  /** Chooses for each request: with this chance one of the others, else healthy. A seed determines the sequence. */
  | {
      readonly kind: 'random';
      readonly seed: number;
      readonly chance: number;
      readonly of: readonly FixedBehavior[];
    };

/** A behavior that is the same for each request. */
export type FixedBehavior = Exclude<ReceiverBehavior, { readonly kind: 'random' }>;

const healthy: FixedBehavior = { kind: 'healthy' };

/** Returns a function that gives the behavior for the next request. */
export function behaviorSequence(behavior: ReceiverBehavior): () => FixedBehavior {
  if (behavior.kind !== 'random') return () => behavior;
  const random = seededRandom(behavior.seed);
  return () => (random.next() < behavior.chance ? pick(behavior.of, random) : healthy);
}

function pick(behaviors: readonly FixedBehavior[], random: Random): FixedBehavior {
  return behaviors[Math.floor(random.next() * behaviors.length)] ?? healthy;
}

/** The words for a behavior, each with its meaning. */
export const behaviorSyntax: readonly (readonly [word: string, about: string])[] = [
  ['healthy', 'accepts every valid request'],
  ['503', 'responds with this status and discards the request; 429:30 adds Retry-After: 30'],
  ['hang', 'accepts the request and never responds'],
  ['drop', 'accepts the request and closes the connection'],
  ['slow:5s', 'responds after this time'],
  ['flaky:0.3', 'with this probability, responds with 503 or 429, or closes the connection'],
];

const flakyBehaviors: readonly FixedBehavior[] = [
  { kind: 'refuse', status: 503 },
  { kind: 'refuse', status: 429, retryAfter: '2' },
  { kind: 'drop', isAccepted: true },
  { kind: 'drop', isAccepted: false },
];

/** Parses one of {@link behaviorSyntax}; the error is a sentence. */
export function parseBehavior(text: string): Result<ReceiverBehavior, string> {
  const [word = '', detail] = text.trim().split(':');
  const unknown = err(`'${text.trim()}' is not one of ${behaviorSyntax.map(([known]) => known).join(', ')}`);
  if (/^[2-5]\d\d$/.test(word)) return parseRefusal(Number(word), detail);
  if (word === 'slow') return mapResult(parseDuration(detail ?? ''), (by): ReceiverBehavior => ({ kind: 'slow', by }));
  if (word === 'flaky') return parseFlaky(detail ?? '');
  if (detail !== undefined) return unknown;
  if (word === 'healthy') return ok({ kind: 'healthy' });
  return word === 'hang' || word === 'drop' ? ok({ kind: word, isAccepted: true }) : unknown;
}

function parseRefusal(status: number, retryAfter: string | undefined): Result<ReceiverBehavior, string> {
  if (retryAfter === undefined) return ok({ kind: 'refuse', status });
  return /^\d{1,5}$/.test(retryAfter)
    ? ok({ kind: 'refuse', status, retryAfter })
    : err(`'${retryAfter}' is not a number of seconds: write 429:30`);
}

function parseFlaky(text: string): Result<ReceiverBehavior, string> {
  const chance = text === '' ? Number.NaN : Number(text);
  if (!(chance >= 0 && chance <= 1)) return err(`'${text}' is not a probability from 0 to 1: write flaky:0.3`);
  return ok({ kind: 'random', seed: 1, chance, of: flakyBehaviors });
}
