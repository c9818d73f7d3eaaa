import type { Millis } from '../../kernel/time.ts';
import type { ByHand, Doubt } from './decision.ts';

/**
 * An abort that an operator asks for by hand, before there is a list to decide it by. It goes past policy, mode, budget,
 * breakers, protection, confirmation and rest, and past the pause where that is said; past nothing else. An earlier
 * intent for the entry does not bar it once that is over: a query that outlived its abort is what an operator looks at.
 */
export interface Wish extends ByHand {
  readonly node: string;
  readonly id: string;
  /** On the monotonic clock. */
  readonly askedAt: Millis;
}

/**
 * Why a wish is declined: the id is none, or the node is not known; an abort of the entry is under way already; its
 * entry is odd (`left_out`); no good list came in time; or what speaks against any decision.
 */
export type WishDoubt = Doubt | 'malformed_id' | 'unknown_node' | 'under_way' | 'left_out' | 'no_list';
