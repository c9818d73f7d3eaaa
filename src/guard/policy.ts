import type { Millis } from '../kernel/time.ts';
import type { WeeklyHours } from '../kernel/week.ts';

/** `observe` only tells what would be done. A policy aborts where the guard and the policy both say `enforce`. */
export type Mode = 'observe' | 'enforce';

/** The `guard` section of the configuration, as validated. */
export interface GuardSettings {
  readonly mode: Mode;
  /** Whatever one of them matches is never aborted by a policy, in no cluster. */
  readonly protect: readonly Protection[];
  readonly budgets: BudgetSettings;
  readonly breakers: BreakerSettings;
  /** In order: the first that matches owns a query. Names are unique. */
  readonly policies: readonly Policy[];
}

/** Queries that are out of bounds: all that is given has to match, and at least one is given. */
export interface Protection {
  readonly node?: Patterns;
  readonly graph?: Patterns;
  readonly query?: Patterns;
}

/** How many aborts all policies together may try: room is needed in both. */
export interface BudgetSettings {
  readonly perNode: Budget;
  readonly perCluster: Budget;
}

/** At most `max` within any period of this length. */
export interface Budget {
  readonly max: number;
  readonly within: Millis;
}

/** When the guard gives up and calls a person; an open breaker stays open until an operator resets it. */
export interface BreakerSettings {
  /** So many aborts of one query (graph and name) within the period open it for that query. */
  readonly sameQuery: { readonly aborts: number; readonly within: Millis };
  /** So many aborts in a row after which the pressure of a gated policy did not fall open it for that policy. */
  readonly noRelief: { readonly aborts: number };
}

/** One rule on which queries are aborted. */
export interface Policy {
  readonly name: string;
  /** Its own wish; see `effectiveMode` for what it comes to. */
  readonly mode: Mode;
  /** Names of clusters; absent: the only one that is configured. */
  readonly clusters?: readonly string[];
  readonly when: Conditions;
  /** A pressure that has to be there as well. */
  readonly gate?: Gate;
  /** The hours in which it acts; absent: always. */
  readonly active?: ActiveWindow;
  /** Company that a query has to have; absent: each is looked at alone. */
  readonly group?: GroupCondition;
  readonly victims: Victims;
  readonly confirm: Confirm;
  /** From the match (M) to the earliest abort (E). */
  readonly grace: Millis;
  /** After an attempt, on that node. */
  readonly cooldown: Millis;
  /** Names of receivers that are told before the abort. */
  readonly notify: readonly string[];
}

/** What is asked of one entry: all of it. What the entry does not tell does not match; at least one is given. */
export interface Conditions {
  readonly node?: Patterns;
  readonly graph?: Patterns;
  readonly query?: Patterns;
  /** Of the request, such as `GET`. */
  readonly method?: Patterns;
  /** By parameter, all of them; the values are matched on and never kept. */
  readonly params?: Readonly<Record<string, Patterns>>;
  /** Milliseconds. */
  readonly age?: Comparison;
  /** Milliseconds: the timeout that the client granted itself. */
  readonly grantedTimeout?: Comparison;
  /** Milliseconds until the server itself ends the query. */
  readonly remaining?: Comparison;
  /** Age as a share of the granted timeout: 0.5 is half of it. */
  readonly ageShare?: Comparison;
}

/** Alternatives, at least one: a text matches if one of them matches all of it. */
export type Patterns = readonly Pattern[];

/** A glob (`*` any run of characters, `?` any one character), or what stood behind `re:`. Both match whole texts. */
export interface Pattern {
  readonly kind: 'glob' | 'regex';
  readonly text: string;
}

/** How a value has to stand to a bound: `{ operator: '>', value: 600000 }`. */
export interface Comparison {
  readonly operator: Operator;
  readonly value: number;
}

/** What may stand before a bound. Equality is no way to ask for something that grows. */
export type Operator = '>' | '>=' | '<' | '<=';

/** Pressure, at least one clause; a reading that is stale or cannot be told to a node makes its clause false. */
export interface Gate {
  readonly needs: 'any' | 'all';
  readonly clauses: readonly GateClause[];
}

/** One pressure, always with `>` or `>=`, that has to have lasted. */
export interface GateClause {
  readonly source: GateSource;
  readonly bound: Comparison;
  /** How long every reading has had to meet the bound. */
  readonly hold: Millis;
}

/** Shares from 0 to 1 of the node's memory and CPU; entries of its delayed list, and milliseconds that the oldest waits. */
export type GateSource = 'node_memory' | 'node_cpu' | 'queue_depth' | 'queue_oldest';

/** The hours of the week in which a policy may act; the days are ascending, without repetition. */
export type ActiveWindow = WeeklyHours;

/** Looks at all entries of a cluster that meet the conditions and are alike in `by`; all that is given has to be so. */
export interface GroupCondition {
  readonly by: readonly GroupKey[];
  readonly count?: Comparison;
  /** Milliseconds: age of the oldest of them. */
  readonly oldest?: Comparison;
  /** Milliseconds: age of the youngest of them. */
  readonly youngest?: Comparison;
}

/** What entries of one group have in common. */
export type GroupKey = 'node' | 'graph' | 'query';

/** Which of those that match are taken, and how many of them at a time: of each group, or else of each node. */
export interface Victims {
  readonly pick: 'oldest' | 'newest';
  readonly max: number;
}

/** How often the very same entry has to have been seen before anything is done, and how far apart. */
export interface Confirm {
  /** At least two. */
  readonly sightings: number;
  /** Between the starts of two requests, less 10 %. */
  readonly apart: Millis;
}
