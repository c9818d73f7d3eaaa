import { confirmedAt } from '../guard/confirmation.ts';
import type { GuardOutput } from '../guard/decision/output.ts';
import type { GuardState } from '../guard/decision/state.ts';
import type { View, ViewDoubt } from '../guard/decision/view.ts';
import type { Match } from '../guard/matcher.ts';
import type { EntryDoubt } from '../guard/sighting.ts';
import { inSeconds } from '../kernel/time.ts';
import { type Distribution, distribution, observe } from '../metric/distribution.ts';
import { opinionKey } from './guard-eyes.ts';

/** How much a doubt takes away: one entry, the list of a node, or everything. */
export type CountedDoubt =
  | { readonly scope: 'entry'; readonly reason: EntryDoubt }
  | { readonly scope: 'node'; readonly reason: ViewDoubt }
  | { readonly scope: 'all'; readonly reason: 'clock_stepped' };

/** All that there can be, so that each is shown from the start. */
export const doubts: readonly CountedDoubt[] = [
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

/** Seconds from E to the abort: what is late is late by seconds or minutes. */
const reactionBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** A query that was counted, for each of the policies. */
interface Matched {
  readonly node: string;
  readonly id: string;
  readonly policies: readonly string[];
}

interface Counted {
  readonly kind: string;
  readonly labels: readonly string[];
  readonly count: number;
}

/** What is counted about the guard of one cluster since the start, by the names of its outputs. */
export class GuardTally {
  readonly #counts = new Map<string, Counted>();
  readonly #reactions = new Map<string, Distribution>();
  /** What has been counted as a match, by query, as long as it is listed. */
  readonly #counted = new Map<string, Matched>();

  /** Counts what a step has told. */
  note(output: GuardOutput): void {
    if (output.kind === 'would_abort') this.#add('would_abort', output.policy, output.node);
    else if (output.kind === 'abort') this.#attempt(output);
    else if (output.kind === 'outcome') this.#add('outcome', output.policy, output.node, output.outcome);
    else if (output.kind === 'late') this.#add('late', output.policy, output.node, output.reason);
    else if (output.kind === 'exhausted') this.#add('exhausted', output.budget);
    else if (output.kind === 'void') {
      this.#add('void', output.scope === 'all' ? '' : output.node, output.scope, output.reason);
    }
  }

  /** Counts what policies match by now, each confirmed query once for each policy. */
  see({ matches, views }: GuardState): void {
    for (const [key, { node, id }] of this.#counted) if (isGone(views.get(node), id)) this.#counted.delete(key);
    for (const match of matches) {
      const { node, sighting } = match.candidate;
      if (match.owns && isConfirmed(match, views.get(node))) this.#match(match.policy.name, { node, id: sighting.id });
    }
  }

  /** How often something of this kind happened, by the labels that it has. */
  count(kind: string, ...labels: readonly string[]): number {
    return this.#counts.get(JSON.stringify([kind, labels]))?.count ?? 0;
  }

  /** All that happened of a kind, by labels. */
  all(kind: string): readonly Counted[] {
    return [...this.#counts.values()].filter((one) => one.kind === kind);
  }

  /** How late the aborts of a policy on a node were, in seconds; nothing yet where there was none. */
  reactions(policy: string, node: string): Distribution {
    return this.#reactions.get(JSON.stringify([policy, node])) ?? distribution(reactionBounds);
  }

  #attempt({ policy, order: { node }, reaction }: Extract<GuardOutput, { readonly kind: 'abort' }>): void {
    this.#add('attempt', policy, node);
    const after = observe(this.reactions(policy, node), inSeconds(reaction));
    this.#reactions.set(JSON.stringify([policy, node]), after);
  }

  #match(policy: string, { node, id }: Pick<Matched, 'node' | 'id'>): void {
    const key = opinionKey(node, id);
    const policies = this.#counted.get(key)?.policies ?? [];
    if (policies.includes(policy)) return;
    this.#counted.set(key, { node, id, policies: [...policies, policy] });
    this.#add('match', policy, node);
  }

  #add(kind: string, ...labels: readonly string[]): void {
    const key = JSON.stringify([kind, labels]);
    this.#counts.set(key, { kind, labels, count: (this.#counts.get(key)?.count ?? 0) + 1 });
  }
}

/** A node of which no list holds at present does not say that anything is gone. */
function isGone(view: View | undefined, id: string): boolean {
  return view === undefined || (view.list !== undefined && !view.list.ids.has(id));
}

function isConfirmed({ policy, candidate }: Match, view: View | undefined): boolean {
  const witness = view?.witnesses.get(candidate.sighting.id);
  if (view === undefined || witness === undefined) return false;
  return confirmedAt(witness, view.ways.indexOf(policy.confirm)) !== undefined;
}
