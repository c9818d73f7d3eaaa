import type { z } from 'zod';
import type { Range } from '../../kernel/range.ts';
import type { Millis } from '../../kernel/time.ts';
import type { Candidate } from '../candidate.ts';
import type { Comparison, Timing } from '../comparison.ts';

/**
 * An ordinary query at the instant at which it counts as confirmed; a policy that matches it could abort every query.
 */
export interface OrdinaryQuery {
  readonly age: Millis;
  readonly grantedTimeout: Millis;
}

/** Limit on the age of a query that depends on its granted timeout T: constant + share * T. */
export interface AgeLimit {
  readonly constant: number;
  readonly share: number;
}

/** Bounds that a condition puts on the age and the granted timeout of the queries that it matches. */
export interface ConditionLimits {
  /** The query is at least this old when it matches. */
  readonly lower?: AgeLimit;
  /** The query is at most this old until it is aborted. */
  readonly upper?: AgeLimit;
  readonly minTimeout?: Millis;
  readonly maxTimeout?: Millis;
}

/**
 * Condition of `when` in a policy: one file with one constant, and one line in `all.ts`. The configuration, the match,
 * the match time, `guard explain`, replays and the documents follow from it. A condition on a property that the server
 * does not list for a query is false.
 */
export interface PolicyCondition<Value = unknown> {
  /** Key below `when` in the configuration. */
  readonly name: string;
  /** Optional zod field with the description for the documents. */
  readonly field: z.ZodType;
  /** Whether `protect` takes the condition as well. */
  readonly canProtect?: boolean;
  /** Content of a recording for this condition: the property itself, the result of each clause, or nothing. */
  readonly recorded: 'property' | 'clauses' | 'nothing';
  /** Compiles the test of a property that stays the same while a query runs; undefined if the property is not known. */
  test?(value: Value): (candidate: Candidate) => boolean | undefined;
  /** Compiles the times between which a property that changes with the age meets the condition. */
  timing?(value: Value): (age: Range, grantedTimeout: Range | undefined) => Timing | undefined;
  /** The opposite of the value; required with `timing`, because `unless` waits until the opposite certainly holds. */
  negated?(value: Value): Value;
  /** The patterns or the bound as the configuration writes them, for `guard why`. */
  wanted(value: Value): string;
  /** The property of a query that has run for `age`; undefined if the server does not list it. Never user data. */
  seen(candidate: Candidate, age: Range): string | undefined;
  /** Phrases of `guard explain`, each a continuation of «queries that». */
  phrases(value: Value): readonly string[];
  /** Sentence of `guard explain` on queries that never match, because the server does not list the property. */
  readonly neverMatches?: string;
  /** Returns whether the condition excludes an ordinary query. */
  excludes(value: Value, ordinary: OrdinaryQuery): boolean;
  /** Whether the value is met by every query, such as the pattern `*`; absent if no value is. */
  isAlwaysTrue?(value: Value): boolean;
  /** Bounds on age and granted timeout; absent if the condition has none. */
  limits?(value: Value): ConditionLimits;
}

/** A condition with its key in the validated settings. */
export interface ListedCondition {
  readonly key: string;
  readonly condition: PolicyCondition;
}

/** Sentence for conditions that need the granted timeout. */
export const needsTimeout = 'Queries whose timeout the server does not list never match.';

/** Returns the bound if its operator points to this side. */
export function boundOn({ operator, value }: Comparison, side: '<' | '>'): number | undefined {
  return operator.startsWith(side) ? value : undefined;
}
