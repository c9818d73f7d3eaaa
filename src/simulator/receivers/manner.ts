import type { Random } from '../../kernel/system.ts';
import type { Millis } from '../../kernel/time.ts';
import { seededRandom } from '../chance.ts';

/** How a receiver behaves, until it is told otherwise. */
export type Manner =
  /** As its kind does: takes what is in order and refuses the rest. */
  | { readonly kind: 'healthy' }
  /** Answers this, and keeps nothing. `retryAfter` stands in the header as it is: seconds, or a date. */
  | { readonly kind: 'refuse'; readonly status: number; readonly retryAfter?: string; readonly body?: string }
  /** Never answers; has kept the letter all the same where `taken`. */
  | { readonly kind: 'hang'; readonly taken: boolean }
  /** Breaks the connection instead of answering. */
  | { readonly kind: 'drop'; readonly taken: boolean }
  /** Healthy, after so long: the letter is kept at once. */
  | { readonly kind: 'slow'; readonly by: Millis }
  /** Each letter anew: with this chance one of the others, else healthy. The same seed gives the same sequence. */
  | {
      readonly kind: 'random';
      readonly seed: number;
      readonly chance: number;
      readonly of: readonly SimpleManner[];
    };

/** A manner that leaves nothing to chance. */
export type SimpleManner = Exclude<Manner, { readonly kind: 'random' }>;

const healthy: SimpleManner = { kind: 'healthy' };

/** Gives, at each call, the manner in which the next letter is treated. */
export function turns(manner: Manner): () => SimpleManner {
  if (manner.kind !== 'random') return () => manner;
  const random = seededRandom(manner.seed);
  return () => (random.next() < manner.chance ? pick(manner.of, random) : healthy);
}

function pick(manners: readonly SimpleManner[], random: Random): SimpleManner {
  return manners[Math.floor(random.next() * manners.length)] ?? healthy;
}
