import type { Comparison } from '../../../src/guard/comparison.ts';
import type { Conditions, Protection } from '../../../src/guard/conditions/all.ts';
import type { Patterns } from '../../../src/guard/pattern.ts';
import type {
  ActiveWindow,
  BudgetSettings,
  Gate,
  GroupCondition,
  GuardSettings,
  Policy,
  VictimSettings,
} from '../../../src/guard/policy.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import { epoch, type ScenarioKind } from './plan.ts';
import type { RandomSource } from './random-source.ts';

/** Graphs in the configuration of the guard. */
export const knownGraphs = ['fraud', 'sandbox', 'vault'] as const;
/** Graph that is not in the configuration. */
export const unknownGraph = 'hidden';
/** Names of queries. The settings protect those that begin with `keep_`. */
export const queryNames = ['adhoc_1', 'adhoc_2', 'adhoc_3', 'adhoc_4', 'etl_1', 'etl_2', 'keep_1', 'report_1'] as const;

/** Granted timeout of queries that policies of the kind `rounded ages` look at. */
export const timedGrant: Millis = 120_000;

const second: Millis = 1000;
const minute: Millis = 60_000;

/** Draws settings of the guard. */
export function settingsFor(kind: ScenarioKind, draw: RandomSource): GuardSettings {
  const count = draw.between(1, 3);
  return {
    mode: draw.chance(0.94) ? 'enforce' : 'observe',
    protect: protections(draw),
    budgets: budgets(kind, draw),
    breakers: {
      sameQuery: { aborts: draw.between(2, 4), within: draw.between(60, 900) * second },
      noRelief: { aborts: draw.between(1, 3) },
    },
    recording: { enabled: false, maxSize: 0, maxAge: 0 },
    policies: Array.from({ length: count }, (_, index) => policy(`policy-${index}`, kind, draw)).map((one, index) =>
      index === 0 ? (firstPolicies[kind]?.(one, draw) ?? one) : one,
    ),
    ...(kind === 'other guard' && {
      budgets: ample,
      breakers: { sameQuery: { aborts: 100, within: minute }, noRelief: { aborts: 3 } },
    }),
  };
}

/** Returns an enforcing policy without an exception, a gate or a group. */
function plain({ name, when, victims, confirm, grace, cooldown, notify }: Policy): Policy {
  return { name, mode: 'enforce', when, victims, confirm, grace, cooldown, notify };
}

/** Changes of the first policy of a kind. */
const firstPolicies: Partial<Readonly<Record<ScenarioKind, (one: Policy, draw: RandomSource) => Policy>>> = {
  'mixed nodes': addGroupConditions,
  'rounded ages': addRemaining,
  'other guard': abortAtOnce,
};

/** Budgets that do not end a run of aborts. */
const ample: BudgetSettings = { perNode: { max: 50, within: minute }, perCluster: { max: 50, within: minute } };

/** Lets a policy abort queries until shortly after its earliest abort time. */
function addRemaining(one: Policy, draw: RandomSource): Policy {
  const age = draw.between(8000, 30_000);
  const remaining = timedGrant - age - one.grace - draw.between(0, 2500);
  const when = { query: globs('adhoc_*'), age: lowerBound(draw, age), remaining: lowerBound(draw, remaining) };
  return { ...plain(one), when };
}

function abortAtOnce(one: Policy, draw: RandomSource): Policy {
  const when = { query: globs('adhoc_*'), age: lowerBound(draw, draw.between(8, 20) * second) };
  return { ...plain(one), when, victims: { pick: 'oldest', max: 9 }, grace: 2000, cooldown: 0 };
}

function protections(draw: RandomSource): readonly Protection[] {
  const all: readonly Protection[] = [
    { query: globs('keep_*') },
    { graph: globs('vault') },
    { query: globs('report_?'), graph: globs('*a*') },
    { query: globs('etl_1'), node: globs('n1') },
  ];
  return all.filter((_, index) => draw.chance(index === 0 ? 0.8 : 0.25));
}

function budgets(kind: ScenarioKind, draw: RandomSource): BudgetSettings {
  const isTight = kind === 'group conditions' || draw.chance(0.2);
  const most = isTight ? 2 : 6;
  return {
    perNode: { max: draw.between(1, most), within: draw.between(20, isTight ? 180 : 60) * second },
    perCluster: { max: draw.between(isTight ? 1 : 3, most + 2), within: draw.between(20, isTight ? 180 : 60) * second },
  };
}

function policy(name: string, kind: ScenarioKind, draw: RandomSource): Policy {
  const gate = kind === 'pressure' && draw.chance(0.8) ? gateFor(draw) : undefined;
  const group = draw.chance(kind === 'mixed nodes' ? 0.4 : 0.15) ? groupFor(draw) : undefined;
  return {
    name,
    mode: draw.chance(0.85) ? 'enforce' : 'observe',
    when: conditions(draw),
    ...(draw.chance(exceptional[kind] ?? 0.1) && { unless: exception(draw) }),
    ...(gate !== undefined && { gate }),
    ...(group !== undefined && { group }),
    ...(draw.chance(hourly[kind] ?? 0.04) && { active: hoursFor(draw) }),
    victims: victimsFor(kind, draw),
    confirm: { observations: draw.chance(0.85) ? 2 : 3, apart: draw.between(3, 5) * second },
    grace: draw.pick([0, 2, 5, 5, 10, 15, 20]) * second,
    cooldown: draw.pick([0, 0, 0, 2, 5, 20]) * second,
    notify: [],
  };
}

/** Draws which of the matching queries are victims. A policy that keeps one may take others at the same time. */
function victimsFor(kind: ScenarioKind, draw: RandomSource): VictimSettings {
  const pick = draw.pick(['oldest', 'newest'] as const);
  const keeps = draw.chance(kind === 'group conditions' ? 0.3 : 0.06);
  return keeps ? { pick, keep: 'oldest', max: draw.between(2, 6) } : { pick, max: draw.between(1, 6) };
}

/** Draws an exception: queries that are spared for ever, or up to an age. */
function exception(draw: RandomSource): Conditions {
  const spared = draw.pick<Conditions>([
    { query: globs('adhoc_2') },
    { query: globs('etl_?', '*_1') },
    { graph: globs('sandbox', 'v*') },
    { node: globs('n1') },
    { grantedTimeout: lowerBound(draw, 600 * second) },
  ]);
  return draw.chance(0.4) ? { ...spared, age: { operator: '<', value: draw.between(20, 60) * second } } : spared;
}

/** Adds a group condition across nodes to most policies. Some groups never reach its count. */
function addGroupConditions(one: Policy, draw: RandomSource): Policy {
  if (draw.chance(0.3)) return one;
  const when = { query: globs('adhoc_4') };
  const group: GroupCondition = { by: ['graph', 'query'], count: { operator: '>=', value: 3 } };
  // Queries of shuffled nodes appear in some lists only, so that a condition with a duration would never be met.
  return { ...one, mode: 'enforce', when, group, grace: 0 };
}

/** Share of policies with an exception. */
const exceptional: Partial<Readonly<Record<ScenarioKind, number>>> = { finishing: 0.3, 'long queue time': 0.3 };

/** Share of policies with hours. */
const hourly: Partial<Readonly<Record<ScenarioKind, number>>> = { hours: 0.8, 'guard clock step': 0.2, reloads: 0.2 };

/** Draws hours that begin or end during a run, or ended before it, in some time zone. */
function hoursFor(draw: RandomSource): ActiveWindow {
  const [zone, clockOffset] = draw.pick([
    ['UTC', 0],
    ['Europe/Berlin', 120],
    ['Asia/Kathmandu', 345],
  ] as const);
  const begin = Math.floor(epoch / minute) % (24 * 60);
  const from = begin + clockOffset + draw.pick([-90, -90, 0, 1, 1, 2]);
  return { days: draw.chance(0.9) ? [1] : [2, 3], from, to: from + draw.pick([1, 2, 90, 91, 92, 150]), zone };
}

function conditions(draw: RandomSource): Conditions {
  const names = [['adhoc_*'], ['*'], ['adhoc_?', 'etl_*'], ['*_1'], ['adhoc_1', 'adhoc_2', 'keep_1']] as const;
  const isAged = draw.chance(0.93);
  const named = isAged ? draw.pick(names) : (['adhoc_*', 'keep_*'] as const);
  return {
    ...((draw.chance(0.7) || !isAged) && { query: globs(...named) }),
    ...(draw.chance(0.2) && { graph: globs(draw.pick(['fraud', 'sandbox', '*', 'h*'])) }),
    ...(draw.chance(0.1) && { node: globs(draw.pick(['n1', 'n2', 'n*'])) }),
    ...(isAged && { age: lowerBound(draw, draw.between(8, 45) * second) }),
    ...(draw.chance(0.15) && { remaining: lowerBound(draw, draw.between(5, 60) * second) }),
    ...(draw.chance(0.15) && { grantedTimeout: lowerBound(draw, draw.pick([16, 120, 600]) * second) }),
    ...(draw.chance(0.1) && { ageShare: lowerBound(draw, draw.pick([0.05, 0.1, 0.25])) }),
  };
}

function gateFor(draw: RandomSource): Gate {
  const clauses = [
    { source: 'node_memory', bound: { operator: '>', value: 0.85 }, for: draw.pick([0, 10, 20]) * second },
    { source: 'queue_depth', bound: { operator: '>=', value: 20 }, for: draw.pick([0, 10]) * second },
  ] as const;
  const count = draw.between(1, 2);
  return { needs: draw.pick(['any', 'all'] as const), clauses: clauses.slice(0, count) };
}

function groupFor(draw: RandomSource): GroupCondition {
  const by = draw.pick([
    ['graph', 'query'],
    ['node', 'query'],
    ['node', 'graph', 'query'],
  ] as const);
  return {
    by,
    count: { operator: '>=', value: draw.between(1, 3) },
    ...(draw.chance(0.3) && { oldest: lowerBound(draw, draw.between(10, 40) * second) }),
    ...(draw.chance(0.15) && { youngest: lowerBound(draw, draw.between(5, 20) * second) }),
  };
}

function lowerBound(draw: RandomSource, value: number): Comparison {
  return { operator: draw.pick(['>', '>='] as const), value };
}

function globs(...texts: readonly string[]): Patterns {
  return texts.map((text) => ({ kind: 'glob', text }));
}
