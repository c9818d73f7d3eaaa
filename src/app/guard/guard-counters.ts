import { confirmedAt } from '../../guard/confirmation.ts';
import type { NodeListSkipReason, NodeView } from '../../guard/decision/node-view.ts';
import type { GuardOutput } from '../../guard/decision/output.ts';
import type { GuardState } from '../../guard/decision/state.ts';
import type { Match } from '../../guard/matcher.ts';
import type { EntrySkipReason } from '../../guard/process-list.ts';
import { toSeconds } from '../../kernel/time.ts';
import { emptyHistogram, type HistogramState, observe } from '../../metric/histogram-state.ts';
import { forecastKey } from './policy-forecast.ts';

/** A skip reason with its scope: one entry, the list of a node, or all decisions. */
export type CountedSkip =
  | { readonly scope: 'entry'; readonly reason: EntrySkipReason }
  | { readonly scope: 'node'; readonly reason: NodeListSkipReason }
  | { readonly scope: 'all'; readonly reason: 'clock_stepped' };

/** All possible skip reasons, so that each has a counter from the start. */
export const countedSkips: readonly CountedSkip[] = [
  ...(['id', 'field', 'ages'] as const).map((reason) => ({ scope: 'entry', reason }) as const),
  ...(
    [
      'failed',
      'malformed',
      'error',
      'duplicate_ids',
      'foreign_instance',
      'too_old',
      'too_slow',
      'clock_stepped',
    ] as const
  ).map((reason) => ({ scope: 'node', reason }) as const),
  { scope: 'all', reason: 'clock_stepped' },
];

/** Buckets of the reaction time, in seconds. */
const reactionBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Policies for which a query was counted as a match. */
interface CountedMatch {
  readonly node: string;
  readonly id: string;
  readonly policies: readonly string[];
}

interface LabelledCount {
  readonly kind: string;
  readonly labels: readonly string[];
  readonly count: number;
}

/** Counters of the guard of one cluster since the start, by the kinds of its outputs. */
export class GuardCounters {
  readonly #counts = new Map<string, LabelledCount>();
  readonly #reactions = new Map<string, HistogramState>();
  /** Queries that were counted as matches, as long as they are listed. */
  readonly #countedMatches = new Map<string, CountedMatch>();

  /** Counts an output of a guard step. */
  record(output: GuardOutput): void {
    if (output.kind === 'would_abort') this.#increment('would_abort', output.policy, output.node);
    else if (output.kind === 'sent') this.#countAttempt(output);
    else if (output.kind === 'outcome') this.#increment('outcome', output.policy, output.node, output.outcome);
    else if (output.kind === 'late') this.#increment('late', output.policy, output.node, output.reason);
    else if (output.kind === 'exhausted') this.#increment('exhausted', output.budget);
    else if (output.kind === 'skipped') {
      this.#increment('skipped', output.scope === 'all' ? '' : output.node, output.scope, output.reason);
    }
  }

  /** Counts current matches: each confirmed query once for each policy. */
  countMatches({ matches, views }: GuardState): void {
    for (const [key, { node, id }] of this.#countedMatches)
      if (isGone(views.get(node), id)) this.#countedMatches.delete(key);
    for (const match of matches) {
      const { node, observation } = match.candidate;
      if (match.owns && isConfirmed(match, views.get(node)))
        this.#countMatch(match.policy.name, { node, id: observation.id });
    }
  }

  /** Returns the number of events of a kind with these labels. */
  count(kind: string, ...labels: readonly string[]): number {
    return this.#counts.get(JSON.stringify([kind, labels]))?.count ?? 0;
  }

  /** Returns the counts of a kind, by labels. */
  all(kind: string): readonly LabelledCount[] {
    return [...this.#counts.values()].filter((one) => one.kind === kind);
  }

  /** Returns the reaction times of the aborts of a policy on a node, in seconds; empty before the first abort. */
  reactions(policy: string, node: string): HistogramState {
    return this.#reactions.get(JSON.stringify([policy, node])) ?? emptyHistogram(reactionBounds);
  }

  #countAttempt({ policy, node, reaction }: Extract<GuardOutput, { readonly kind: 'sent' }>): void {
    this.#increment('attempt', policy, node);
    const after = observe(this.reactions(policy, node), toSeconds(reaction));
    this.#reactions.set(JSON.stringify([policy, node]), after);
  }

  #countMatch(policy: string, { node, id }: Pick<CountedMatch, 'node' | 'id'>): void {
    const key = forecastKey(node, id);
    const policies = this.#countedMatches.get(key)?.policies ?? [];
    if (policies.includes(policy)) return;
    this.#countedMatches.set(key, { node, id, policies: [...policies, policy] });
    this.#increment('match', policy, node);
  }

  #increment(kind: string, ...labels: readonly string[]): void {
    const key = JSON.stringify([kind, labels]);
    this.#counts.set(key, { kind, labels, count: (this.#counts.get(key)?.count ?? 0) + 1 });
  }
}

/** Without a valid list of a node, none of its queries counts as gone. */
function isGone(view: NodeView | undefined, id: string): boolean {
  return view === undefined || (view.list !== undefined && !view.list.ids.has(id));
}

function isConfirmed({ policy, candidate }: Match, view: NodeView | undefined): boolean {
  const confirmation = view?.histories.get(candidate.observation.id);
  if (view === undefined || confirmation === undefined) return false;
  return confirmedAt(confirmation, view.confirmSettings.indexOf(policy.confirm)) !== undefined;
}
