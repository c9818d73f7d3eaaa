import type { Millis } from '../../../src/kernel/time.ts';
import {
  kindOf,
  type NodePlan,
  type PlannedEvent,
  type ScenarioKind,
  type SimulationPlan,
  scenarioKinds,
} from './plan.ts';
import { knownGraphs, settingsFor } from './policies.ts';
import type { BaseScenario, ScenarioAddition } from './queries.ts';
import { backgroundQueries, type QueryDraft, runawayQuery, toQueryEvents } from './queries.ts';
import { type RandomSource, randomSource } from './random-source.ts';
import { scenarioFaults } from './scenarios.ts';

const hour: Millis = 3_600_000;

/** Creates the plan of a seed. */
export function createPlan(seed: number): SimulationPlan {
  const kind = kindOf(seed);
  const random = randomSource(seed);
  const settings = settingsFor(kind, random);
  const nodes = nodesFor(kind, random);
  const length = 150_000;
  const queries = nodes.flatMap(({ name }) => [
    ...(random.chance(0.92) ? backgroundQueries(name, length - 30_000, random) : []),
    ...runaways(name, kind, random),
  ]);
  const startsAt = random.chance(0.3) ? random.between(0, 40_000) : 0;
  const base: BaseScenario = { settings, nodes, queries, length, startsAt: startsAt };
  const additions = [
    scenarioFaults(kind, base, random),
    ...(random.chance(0.3) && kind !== 'healthy'
      ? [scenarioFaults(random.pick(scenarioKinds.filter((one) => one !== kind)), base, random)]
      : []),
  ];
  const add = <T>(choose: (one: ScenarioAddition) => readonly T[] | undefined) =>
    additions.flatMap((one) => choose(one) ?? []);
  const isQuick = kind === 'healthy' || random.chance(0.5);
  const hasOverstatedAges =
    nodes.some(({ computesAgesByWallClock }) => computesAgesByWallClock) ||
    add((one) => one.queries).some(({ overstatedAge }) => overstatedAge !== 0);
  const isRestartedOften = add((one) => one.events).some(
    ({ kind: what }) => what === 'crash' || what === 'guard clock step',
  );
  return {
    seed,
    kind,
    settings,
    nodes,
    interval: random.pick([2000, 3000, 5000, 5000]),
    startsAt,
    length,
    graphs: knownGraphs,
    latencies: {
      list: isQuick ? [3, 45] : random.pick([[20, 200] as const, [100, 700] as const]),
      abort: isQuick ? [2, 20] : [5, 300],
      commit: isQuick ? [2, 12] : [5, 150],
    },
    pressures: add(({ pressures }) => pressures),
    faultPeriods: add(({ faultPeriods }) => faultPeriods),
    events: [
      ...toQueryEvents([...queries, ...add((one) => one.queries)]),
      // An overstated age from before the start of the guard cannot be detected once the clock of its node is set.
      ...add(({ events }) => events).filter((one) => !hasOverstatedAges || !isRestartedOften || !setsTheirClock(one)),
    ].toSorted((one, other) => one.at - other.at),
  };
}

function setsTheirClock({ kind }: Pick<PlannedEvent, 'kind'>): boolean {
  return kind === 'node clock step' || kind === 'node restarts';
}

function nodesFor(kind: ScenarioKind, random: RandomSource): readonly NodePlan[] {
  const count = kind === 'mixed nodes' || kind === 'connection balancer' ? random.between(2, 3) : random.between(1, 3);
  const isConfigured = random.chance(0.75);
  const isOff = kind === 'node clock steps' || random.chance(0.3);
  return Array.from({ length: count }, (_, index) => ({
    name: `n${index + 1}`,
    tag: `RESTPP_1_${index + 1}`,
    isConfigured,
    clockOffset: isOff
      ? random.pick([-6 * hour, 6 * hour, random.between(-90_000, 90_000)])
      : random.between(-800, 800),
    drift: (random.between(-100, 100) / 1_000_000) * (kind === 'node clock steps' ? 20 : 1),
    zone: random.pick([-8 * hour, 0, 5.75 * hour]),
    roundsAges: kind === 'rounded ages' || (kind !== 'healthy' && random.chance(0.2)),
    computesAgesByWallClock: kind === 'node clock steps' && random.chance(0.5),
  }));
}

function runaways(node: string, kind: ScenarioKind, random: RandomSource): readonly QueryDraft[] {
  const most = kind === 'group conditions' ? 7 : 3;
  const some = Array.from({ length: random.between(1, most) }, () =>
    runawayQuery(node, random.between(0, 70_000), random),
  );
  // A query that most policies match, so that most runs have a victim.
  const plain = { graph: 'fraud', name: 'adhoc_2', url: '/query/fraud/adhoc_2', isInstalled: true, granted: hour };
  return random.chance(0.9) ? [...some, runawayQuery(node, random.between(0, 60_000), random, plain)] : some;
}
