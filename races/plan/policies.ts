import type {
  ActiveWindow,
  BudgetSettings,
  Comparison,
  Conditions,
  Gate,
  GroupCondition,
  GuardSettings,
  Patterns,
  Policy,
  Protection,
} from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { Draw } from './draw.ts';
import { epoch, type Kind } from './plan.ts';

/** Graphs that the guard is told of. */
export const knownGraphs = ['fraud', 'sandbox', 'vault'] as const;
/** One that it is not. */
export const unknownGraph = 'hidden';
/** Names of queries; those that begin with `keep_` are what protection is for. */
export const queryNames = ['adhoc_1', 'adhoc_2', 'adhoc_3', 'adhoc_4', 'etl_1', 'etl_2', 'keep_1', 'report_1'] as const;

const second: Millis = 1000;
const minute: Millis = 60_000;

/** What a guard may be told to do. */
export function settingsFor(kind: Kind, draw: Draw): GuardSettings {
  const count = draw.between(1, 3);
  return {
    mode: draw.chance(0.94) ? 'enforce' : 'observe',
    protect: protections(draw),
    budgets: budgets(kind, draw),
    breakers: {
      sameQuery: { aborts: draw.between(2, 4), within: draw.between(60, 900) * second },
      noRelief: { aborts: draw.between(1, 3) },
    },
    policies: Array.from({ length: count }, (_, index) => policy(`policy-${index}`, kind, draw)).map((one, index) =>
      kind === 'mixed nodes' && index === 0 ? crowdPolicy(one, draw) : one,
    ),
  };
}

function protections(draw: Draw): readonly Protection[] {
  const all: readonly Protection[] = [
    { query: globs('keep_*') },
    { graph: globs('vault') },
    { query: globs('report_?'), graph: globs('*a*') },
    { query: globs('etl_1'), node: globs('n1') },
  ];
  return all.filter((_, index) => draw.chance(index === 0 ? 0.8 : 0.25));
}

function budgets(kind: Kind, draw: Draw): BudgetSettings {
  const isTight = kind === 'crowds' || draw.chance(0.2);
  const most = isTight ? 2 : 6;
  return {
    perNode: { max: draw.between(1, most), within: draw.between(20, isTight ? 180 : 60) * second },
    perCluster: { max: draw.between(isTight ? 1 : 3, most + 2), within: draw.between(20, isTight ? 180 : 60) * second },
  };
}

function policy(name: string, kind: Kind, draw: Draw): Policy {
  const gate = kind === 'pressure' && draw.chance(0.8) ? gateFor(draw) : undefined;
  const group = draw.chance(kind === 'mixed nodes' ? 0.4 : 0.15) ? groupFor(draw) : undefined;
  return {
    name,
    mode: draw.chance(0.85) ? 'enforce' : 'observe',
    when: conditions(draw),
    ...(gate !== undefined && { gate }),
    ...(group !== undefined && { group }),
    ...(draw.chance(hourly[kind] ?? 0.04) && { active: hoursFor(draw) }),
    victims: { pick: draw.of(['oldest', 'newest'] as const), max: draw.between(1, 6) },
    confirm: { sightings: draw.chance(0.85) ? 2 : 3, apart: draw.between(3, 5) * second },
    grace: draw.of([0, 2, 5, 5, 10, 15, 20]) * second,
    cooldown: draw.of([0, 0, 0, 2, 5, 20]) * second,
    notify: [],
  };
}

/** Asks for company on all nodes, now and then for more than there will be. */
function crowdPolicy(one: Policy, draw: Draw): Policy {
  if (draw.chance(0.3)) return one;
  const when = { query: globs('adhoc_*'), age: more(draw, draw.between(8, 20) * second) };
  const group: GroupCondition = { by: ['graph', 'query'], count: { operator: '>=', value: 3 } };
  return { ...one, when, group };
}

/** How often policies have hours. */
const hourly: Partial<Readonly<Record<Kind, number>>> = { hours: 0.8, 'our clock': 0.2, reloads: 0.2 };

/** Hours that open or close while a run goes on, or are over, by the clocks of some zone. */
function hoursFor(draw: Draw): ActiveWindow {
  const [zone, ahead] = draw.of([
    ['UTC', 0],
    ['Europe/Berlin', 120],
    ['Asia/Kathmandu', 345],
  ] as const);
  const begin = Math.floor(epoch / minute) % (24 * 60);
  const from = begin + ahead + draw.of([-90, -90, 0, 1, 1, 2]);
  return { days: draw.chance(0.9) ? [1] : [2, 3], from, to: from + draw.of([1, 2, 90, 91, 92, 150]), zone };
}

function conditions(draw: Draw): Conditions {
  const names = [['adhoc_*'], ['*'], ['adhoc_?', 'etl_*'], ['*_1'], ['adhoc_1', 'adhoc_2', 'keep_1']] as const;
  const isAged = draw.chance(0.93);
  const named = isAged ? draw.of(names) : (['adhoc_*', 'keep_*'] as const);
  return {
    ...((draw.chance(0.7) || !isAged) && { query: globs(...named) }),
    ...(draw.chance(0.2) && { graph: globs(draw.of(['fraud', 'sandbox', '*', 'h*'])) }),
    ...(draw.chance(0.1) && { node: globs(draw.of(['n1', 'n2', 'n*'])) }),
    ...(isAged && { age: more(draw, draw.between(8, 45) * second) }),
    ...(draw.chance(0.15) && { remaining: more(draw, draw.between(5, 60) * second) }),
    ...(draw.chance(0.15) && { grantedTimeout: more(draw, draw.of([16, 120, 600]) * second) }),
    ...(draw.chance(0.1) && { ageShare: more(draw, draw.of([0.05, 0.1, 0.25])) }),
  };
}

function gateFor(draw: Draw): Gate {
  const clauses = [
    { source: 'node_memory', bound: { operator: '>', value: 0.85 }, hold: draw.of([0, 10, 20]) * second },
    { source: 'queue_depth', bound: { operator: '>=', value: 20 }, hold: draw.of([0, 10]) * second },
  ] as const;
  const count = draw.between(1, 2);
  return { needs: draw.of(['any', 'all'] as const), clauses: clauses.slice(0, count) };
}

function groupFor(draw: Draw): GroupCondition {
  const by = draw.of([
    ['graph', 'query'],
    ['node', 'query'],
    ['node', 'graph', 'query'],
  ] as const);
  return {
    by,
    count: { operator: '>=', value: draw.between(1, 3) },
    ...(draw.chance(0.3) && { oldest: more(draw, draw.between(10, 40) * second) }),
    ...(draw.chance(0.15) && { youngest: more(draw, draw.between(5, 20) * second) }),
  };
}

function more(draw: Draw, value: number): Comparison {
  return { operator: draw.of(['>', '>='] as const), value };
}

function globs(...texts: readonly string[]): Patterns {
  return texts.map((text) => ({ kind: 'glob', text }));
}
