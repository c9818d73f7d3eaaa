import type { Millis } from '../../src/kernel/time.ts';
import { type Draw, drawOf } from './draw.ts';
import type { Addition, Ground } from './ground.ts';
import { type Happening, type Kind, kinds, type NodePlan, type Plan } from './plan.ts';
import { knownGraphs, settingsFor } from './policies.ts';
import { type Draft, numbered, runaway, traffic } from './queries.ts';
import { trouble } from './troubling.ts';

const hour: Millis = 3_600_000;

/** The scene that a seed stands for: one seed after the other takes one kind after the other. */
export function planOf(seed: number): Plan {
  const kind = kinds[seed % kinds.length] ?? 'healthy';
  const draw = drawOf(seed);
  const settings = settingsFor(kind, draw);
  const nodes = nodesFor(kind, draw);
  const length = 150_000;
  const drafts = nodes.flatMap(({ name }) => [
    ...(draw.chance(0.92) ? traffic(name, length - 30_000, draw) : []),
    ...runaways(name, kind, draw),
  ]);
  const begins = draw.chance(0.3) ? draw.between(0, 40_000) : 0;
  const ground: Ground = { settings, nodes, drafts, length, begins };
  const additions = [
    trouble(kind, ground, draw),
    ...(draw.chance(0.3) && kind !== 'healthy'
      ? [trouble(draw.of(kinds.filter((one) => one !== kind)), ground, draw)]
      : []),
  ];
  const add = <T>(choose: (one: Addition) => readonly T[] | undefined) => additions.flatMap((one) => choose(one) ?? []);
  const isQuick = kind === 'healthy' || draw.chance(0.5);
  const isLiedTo = nodes.some(({ isByWall }) => isByWall) || add((one) => one.drafts).some(({ lie }) => lie !== 0);
  const isForgetful = add((one) => one.happenings).some(({ kind: what }) => what === 'crash' || what === 'our clock');
  return {
    seed,
    kind,
    settings,
    nodes,
    interval: draw.of([2000, 3000, 5000, 5000]),
    begins,
    length,
    graphs: knownGraphs,
    latencies: {
      list: isQuick ? [3, 45] : draw.of([[20, 200] as const, [100, 700] as const]),
      abort: isQuick ? [2, 20] : [5, 300],
      commit: isQuick ? [2, 12] : [5, 150],
    },
    pressures: add(({ pressures }) => pressures),
    spells: add(({ spells }) => spells),
    happenings: [
      ...numbered([...drafts, ...add((one) => one.drafts)]),
      // Where a wrong age was there before us, and a node's clock is set, nothing is left to tell it by.
      ...add(({ happenings }) => happenings).filter((one) => !isLiedTo || !isForgetful || !setsTheirClock(one)),
    ].toSorted((one, other) => one.at - other.at),
  };
}

function setsTheirClock({ kind }: Pick<Happening, 'kind'>): boolean {
  return kind === 'their clock' || kind === 'node restarts';
}

function nodesFor(kind: Kind, draw: Draw): readonly NodePlan[] {
  const count = kind === 'mixed nodes' ? draw.between(2, 3) : draw.between(1, 3);
  const isConfigured = draw.chance(0.75);
  const isOff = kind === 'their clocks' || draw.chance(0.3);
  return Array.from({ length: count }, (_, index) => ({
    name: `n${index + 1}`,
    tag: `RESTPP_1_${index + 1}`,
    isConfigured,
    ahead: isOff ? draw.of([-6 * hour, 6 * hour, draw.between(-90_000, 90_000)]) : draw.between(-800, 800),
    drift: (draw.between(-100, 100) / 1_000_000) * (kind === 'their clocks' ? 20 : 1),
    zone: draw.of([-8 * hour, 0, 5.75 * hour]),
    isRounding: kind !== 'healthy' && draw.chance(0.2),
    isByWall: kind === 'their clocks' && draw.chance(0.5),
  }));
}

function runaways(node: string, kind: Kind, draw: Draw): readonly Draft[] {
  const most = kind === 'crowds' ? 7 : 3;
  const some = Array.from({ length: draw.between(1, most) }, () => runaway(node, draw.between(0, 70_000), draw));
  // Somebody that most policies mean, so that a run tells something.
  const plain = { graph: 'fraud', name: 'adhoc_2', url: '/query/fraud/adhoc_2', isInstalled: true, granted: hour };
  return draw.chance(0.9) ? [...some, runaway(node, draw.between(0, 60_000), draw, plain)] : some;
}
