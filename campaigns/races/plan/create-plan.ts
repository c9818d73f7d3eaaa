import type { Millis } from '../../../src/kernel/time.ts';
import { type NodePlan, type PlannedEvent, type ScenarioKind, type SimulationPlan, scenarioKinds } from './plan.ts';
import { knownGraphs, settingsFor } from './policies.ts';
import type { BaseScenario, ScenarioAddition } from './queries.ts';
import { backgroundQueries, type QueryDraft, runawayQuery, toQueryEvents } from './queries.ts';
import { type RandomSource, randomSource } from './random-source.ts';
import { scenarioFaults } from './scenarios.ts';

const hour: Millis = 3_600_000;

/** Creates the plan of a seed. Consecutive seeds have consecutive kinds. */
export function createPlan(seed: number): SimulationPlan {
  const kind = scenarioKinds[seed % scenarioKinds.length] ?? 'healthy';
  const draw = randomSource(seed);
  const settings = settingsFor(kind, draw);
  const nodes = nodesFor(kind, draw);
  const length = 150_000;
  const drafts = nodes.flatMap(({ name }) => [
    ...(draw.chance(0.92) ? backgroundQueries(name, length - 30_000, draw) : []),
    ...runaways(name, kind, draw),
  ]);
  const begins = draw.chance(0.3) ? draw.between(0, 40_000) : 0;
  const ground: BaseScenario = { settings, nodes, drafts, length, begins };
  const additions = [
    scenarioFaults(kind, ground, draw),
    ...(draw.chance(0.3) && kind !== 'healthy'
      ? [scenarioFaults(draw.pick(scenarioKinds.filter((one) => one !== kind)), ground, draw)]
      : []),
  ];
  const add = <T>(choose: (one: ScenarioAddition) => readonly T[] | undefined) =>
    additions.flatMap((one) => choose(one) ?? []);
  const isQuick = kind === 'healthy' || draw.chance(0.5);
  const isLiedTo = nodes.some(({ isByWall }) => isByWall) || add((one) => one.drafts).some(({ lie }) => lie !== 0);
  const isForgetful = add((one) => one.happenings).some(({ kind: what }) => what === 'crash' || what === 'our clock');
  return {
    seed,
    kind,
    settings,
    nodes,
    interval: draw.pick([2000, 3000, 5000, 5000]),
    begins,
    length,
    graphs: knownGraphs,
    latencies: {
      list: isQuick ? [3, 45] : draw.pick([[20, 200] as const, [100, 700] as const]),
      abort: isQuick ? [2, 20] : [5, 300],
      commit: isQuick ? [2, 12] : [5, 150],
    },
    pressures: add(({ pressures }) => pressures),
    spells: add(({ spells }) => spells),
    happenings: [
      ...toQueryEvents([...drafts, ...add((one) => one.drafts)]),
      // An overstated age from before the start of the guard cannot be detected once the clock of its node is set.
      ...add(({ happenings }) => happenings).filter((one) => !isLiedTo || !isForgetful || !setsTheirClock(one)),
    ].toSorted((one, other) => one.at - other.at),
  };
}

function setsTheirClock({ kind }: Pick<PlannedEvent, 'kind'>): boolean {
  return kind === 'their clock' || kind === 'node restarts';
}

function nodesFor(kind: ScenarioKind, draw: RandomSource): readonly NodePlan[] {
  const count = kind === 'mixed nodes' ? draw.between(2, 3) : draw.between(1, 3);
  const isConfigured = draw.chance(0.75);
  const isOff = kind === 'their clocks' || draw.chance(0.3);
  return Array.from({ length: count }, (_, index) => ({
    name: `n${index + 1}`,
    tag: `RESTPP_1_${index + 1}`,
    isConfigured,
    ahead: isOff ? draw.pick([-6 * hour, 6 * hour, draw.between(-90_000, 90_000)]) : draw.between(-800, 800),
    drift: (draw.between(-100, 100) / 1_000_000) * (kind === 'their clocks' ? 20 : 1),
    zone: draw.pick([-8 * hour, 0, 5.75 * hour]),
    isRounding: kind !== 'healthy' && draw.chance(0.2),
    isByWall: kind === 'their clocks' && draw.chance(0.5),
  }));
}

function runaways(node: string, kind: ScenarioKind, draw: RandomSource): readonly QueryDraft[] {
  const most = kind === 'crowds' ? 7 : 3;
  const some = Array.from({ length: draw.between(1, most) }, () => runawayQuery(node, draw.between(0, 70_000), draw));
  // A query that most policies match, so that most runs have a victim.
  const plain = { graph: 'fraud', name: 'adhoc_2', url: '/query/fraud/adhoc_2', isInstalled: true, granted: hour };
  return draw.chance(0.9) ? [...some, runawayQuery(node, draw.between(0, 60_000), draw, plain)] : some;
}
