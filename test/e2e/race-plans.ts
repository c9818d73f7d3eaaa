import type { Random } from '../../src/kernel/system.ts';
import type { Millis } from '../../src/kernel/time.ts';

/** All kinds of races, each with what a policy means to happen to it. */
export const raceKinds = [
  'long',
  'finishes_in_grace',
  'finishes_beside',
  'comes_again',
  'comes_again_later',
  'twin',
  'node_restarts',
  'queued',
  'protected',
  'observed',
  'short_grant',
  'other_graph',
] as const;

/** One of {@link raceKinds}. */
export type RaceKind = (typeof raceKinds)[number];

/** One query that a client starts. Times are from the start of the scene. */
export interface QueryStart {
  readonly kind: RaceKind;
  readonly at: Millis;
  readonly node: string;
  readonly graph: string;
  readonly query: string;
  readonly parameters: string;
  readonly runsFor: Millis;
  readonly timeout: Millis;
}

/** When the policy of the races lets a query be aborted at the earliest, from its start on. */
export const earliestAbortDelay: Millis = 30_000;

/** The policies that all races go by. */
export const raceGuard = {
  mode: 'enforce',
  protect: [{ query: 'bad_*_kept' }],
  budgets: { per_node: { max: 1000, within: '1h' }, per_cluster: { max: 1000, within: '1h' } },
  breakers: { same_query: { aborts: 1000, within: '1h' } },
  policies: [
    { name: 'observed', when: { query: 'seen_*', age: '> 20s' }, grace: '0s' },
    {
      name: 'runaway',
      mode: 'enforce',
      when: { graph: ['fraud'], query: 'bad_*', age: '> 20s', granted_timeout: '> 1m' },
      grace: '10s',
      cooldown: '0s',
      victims: { max: 100 },
    },
  ],
};

/** Whether the policy that enforces means queries like this one at all, however long they run. */
export function isPolicyTarget({ graph, query, timeout }: QueryStart): boolean {
  return graph === 'fraud' && query.startsWith('bad_') && !query.endsWith('_kept') && timeout > 60_000;
}

const endless: Millis = 3_600_000;

/** What clients start for one race on a node, in the order of the starts. */
export function plannedRace(kind: RaceKind, name: string, { node, random }: RaceTarget): readonly QueryStart[] {
  const from = Math.floor(random.next() * 30_000);
  const about = (least: Millis, most: Millis): Millis => least + Math.floor(random.next() * (most - least));
  const base = { kind, node, graph: 'fraud', query: `bad_${name}`, parameters: `n=${name}`, timeout: endless };
  const one = (at: Millis, runsFor: Millis, changes: Partial<QueryStart> = {}): QueryStart => ({
    ...base,
    at,
    runsFor,
    ...changes,
  });
  const beside = about(earliestAbortDelay - 300, earliestAbortDelay + 300);
  const ways: Readonly<Record<RaceKind, () => readonly QueryStart[]>> = {
    long: () => [one(from, endless)],
    finishes_in_grace: () => [one(from, about(20_000, earliestAbortDelay))],
    finishes_beside: () => [one(from, beside)],
    comes_again: () => [one(from, beside), one(from + beside + about(0, 60), about(20_000, 29_900))],
    comes_again_later: () => [one(from, about(20_000, 29_000)), one(from + earliestAbortDelay, about(20_000, 29_900))],
    twin: () => [one(from, endless), one(from, about(20_000, 29_900), { node: otherThan(node) })],
    node_restarts: () => [one(from, endless), one(about(40_000, 50_000), about(20_000, 29_900))],
    queued: () => [one(from, random.next() < 0.5 ? endless : about(20_000, 29_900))],
    protected: () => [one(from, endless, { query: `bad_${name}_kept` })],
    observed: () => [one(from, endless, { query: `seen_${name}` })],
    short_grant: () => [one(from, endless, { timeout: 55_000 })],
    other_graph: () => [one(from, endless, { graph: 'social' })],
  };
  return ways[kind]();
}

interface RaceTarget {
  readonly node: string;
  readonly random: Random;
}

function otherThan(node: string): string {
  return node === 'm1' ? 'm2' : 'm1';
}
